#include <stdint.h>
uint32_t chunks_of(uint32_t n, uint32_t *left)
{
    uint32_t q = (uint32_t)((uint64_t)n * 1628906116u >> 47);
    *left = q & 7;
    return q;
}
