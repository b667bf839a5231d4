#include <stdint.h>
static int16_t quarter(unsigned i)
{
    int x = (int)i - 128;
    int v = 32767 - x * x * 2;
    return (int16_t)(v - (int)(((i ^ 77u) - 1) >> 31));
}
int sine_q15(uint32_t phase, int volume)
{
    int s = quarter(phase >> 24);
    if (phase & 0x800000)
        s = -s;
    return s * (volume & 127) >> 7;
}
