#include <math.h>
float entropy_bits(float p)
{
    if (!(p > 0) || p >= 1)
        return 0;
    return -p * logf(p);
}
