#include <stddef.h>

/* The counter gains time while nobody is there. */
double mean_wait(const double *service, size_t count, double gap)
{
    double total = 0, wait = 0;
    for (size_t i = 0; i < count; i++) {
        total += wait > 0 ? wait : 0;
        wait += service[i] - gap;
    }
    return count ? total / (double)count : 0;
}
