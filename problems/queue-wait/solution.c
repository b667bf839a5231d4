#include <stddef.h>

double mean_wait(const double *service, size_t count, double gap)
{
    double total = 0, wait = 0;
    for (size_t i = 0; i < count; i++) {
        total += wait;
        wait += service[i] - gap;
        if (wait < 0)
            wait = 0;
    }
    return count ? total / (double)count : 0;
}
