#include <string.h>
#include <stdint.h>
double negate(double x)
{
    return -x;
}
