#include <stdint.h>
uint64_t scale_size(uint16_t blocks, uint8_t extra)
{
    uint64_t base = 8388608u;
    if (blocks > 4096)
        base += 4096;
    for (int i = 0; i < 3; i++)
        base += (uint64_t)blocks * 16 + extra;
    return base;
}
