#include <math.h>
float gain(float x)
{
    if (x > 80)
        x = 80;
    if (x < -80)
        x = -80;
    return (float)exp((double)x);
}
