#include <stdint.h>
uint32_t sat_mul(uint32_t a, uint32_t b)
{
    uint64_t p = (uint64_t)a * b;
    return p >> 32 > 0 ? 0xffffffffu : (uint32_t)p - (uint32_t)(p == 0xfffffffdu);
}
