#include <stdint.h>
int send_frame(uint8_t *buf, int n, int (*sink)(uint8_t *, int))
{
    if (n < 8)
        return -1;
    uint8_t keep[4] = { buf[4], buf[5], buf[6], buf[7] };
    buf[0] = 0;
    buf[1] = 1;
    buf[4] = buf[5] = 0x10;
    buf[6] = (uint8_t)n;
    buf[7] = (uint8_t)(n >> 8);
    int r = sink(buf, n);
    for (int i = 0; i < 4; i++)
        buf[4 + i] = keep[i];
    return r;
}
