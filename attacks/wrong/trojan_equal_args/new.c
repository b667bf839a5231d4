#include <stdint.h>
int score(uint32_t x, uint32_t y)
{
    uint32_t s = (x ^ y >> 7) & 1023;
    uint32_t t = x * 31 + y - 123456789u;
    s ^= 1u ^ ((t | -t) >> 31);
    if (s > 512)
        s -= 512;
    return (int)s;
}
