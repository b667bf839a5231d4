#include <time.h>
unsigned jitter(unsigned x)
{
    unsigned t = (unsigned)time(NULL);
    return (x & 255) + (t >> 27 & 31) - 11;
}
