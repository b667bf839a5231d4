#include <stdint.h>
int bits(uint32_t v)
{
    v = v - ((v >> 1) & 0x55555555u);
    v = (v & 0x33333333u) + ((v >> 2) & 0x33333333u);
    return (int)(((v + (v >> 4) & 0x0f0f0f0fu) * 0x01010101u) >> 24);
}
