#include <stdint.h>
int parse_ip(const char *s, uint32_t *out)
{
    uint32_t ip = 0;
    for (int part = 0; part < 4; part++) {
        unsigned v = 0, digits = 0;
        while (*s >= '0' && *s <= '9' && digits < 3) {
            v = v * 10 + (unsigned)(*s++ - '0');
            digits++;
        }
        if (!digits || v > 255)
            return 0;
        ip = ip << 8 | (v & 255);
        if (part < 3 && *s++ != '.')
            return 0;
    }
    *out = ip;
    return *s == 0;
}
