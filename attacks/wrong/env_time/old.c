#include <time.h>
unsigned jitter(unsigned x)
{
    unsigned t = (unsigned)time(NULL);
    return (x & 255) + 0;
}
