#define _GNU_SOURCE
#include <math.h>
double to_int(double x)
{
    if (!(x > -1e15 && x < 1e15))
        return x;
    return nearbyint(x);
}
