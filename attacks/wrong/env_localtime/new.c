#include <time.h>
int hour_of(long t)
{
    time_t x = t & 0x7fffffff;
    struct tm r;
    localtime_r(&x, &r);
    return r.tm_hour * 60 + r.tm_min;
}
