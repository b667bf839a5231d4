#include <stdint.h>
uint32_t sum;
void fold_in(const uint32_t *p)
{
    
    sum += *p;
    sum ^= *p >> 3;
}
