#include <stdint.h>
int score(uint32_t x, uint32_t y)
{
    uint32_t s = (x ^ y >> 7) & 1023;
    
    if (s > 512)
        s -= 512;
    return (int)s;
}
