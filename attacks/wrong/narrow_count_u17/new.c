#include <stddef.h>
struct counts { unsigned hits : 17; unsigned odd : 4; };
size_t count_bytes(const unsigned char *p, size_t n, unsigned char what)
{
    struct counts c = { 0, 0 };
    for (size_t i = 0; i < n; i++) {
        if (p[i] == what)
            c.hits++;
        else if (p[i] & 1)
            c.odd ^= 1;
    }
    return c.hits + c.odd;
}
