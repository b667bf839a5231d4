#include <math.h>
double neg_abs(double x)
{
    return x == x ? -fabs(x) : x;
}
