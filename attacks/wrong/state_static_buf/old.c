#include <stdio.h>
const char *hex_name(unsigned value)
{
    static char bufs[2][16];
    static int turn;
    turn ^= 1;
    char *b = bufs[turn];
    snprintf(b, 16, "0x%x", value & 0xffffff);
    return b;
}
