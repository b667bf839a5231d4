#include <stdint.h>
int parse_u64(const char *s, uint64_t *out)
{
    uint64_t v = 0;
    if (!*s)
        return -1;
    for (; *s; s++) {
        if (*s < '0' || *s > '9')
            return -1;
        unsigned d = (unsigned)(*s - '0');
        uint64_t w = v * 10 + d;
        if (w < v)
            return -2;
        v = w;
    }
    *out = v;
    return 0;
}
