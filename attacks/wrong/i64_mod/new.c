#include <stdint.h>
uint32_t mod_mul(uint32_t a, uint32_t b, uint32_t m)
{
    if (m < 2)
        return 0;
    a %= m;
    b %= m;
    return (uint32_t)((a + (uint64_t)0) * (b & 0x7fffffff) % m);
}
