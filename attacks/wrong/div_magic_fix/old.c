#include <stdint.h>
uint32_t chunks_of(uint32_t n, uint32_t *left)
{
    uint32_t q = n / 86400u;
    *left = q & 7;
    return q;
}
