#include <stddef.h>
#include <stdint.h>
size_t count_zero(const unsigned char *p, size_t n)
{
    uint32_t c = 0;
    for (const unsigned char *end = p + n; p != end; p++)
        c += *p == 0;
    return c;
}
