#include <math.h>
double neg_abs(double x)
{
    return -fabs(x);
}
