#include <stdint.h>
uint32_t sum;
void fold_in(const uint32_t *p)
{
    uint32_t x = *p;
    sum += x;
    sum ^= x >> 3;
}
