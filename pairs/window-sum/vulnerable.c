#include <stddef.h>

#define MAX_WINDOW 256

/* The mean of what follows the first samples, each smoothed with the one before it. */
int smooth_tail(const int *samples, int count, int skip)
{
    if (samples == NULL || skip < 0 || count - skip > MAX_WINDOW)
        return 0;

    int window[count - skip];
    int used = 0;
    long sum = 0;

    for (int i = skip; i < count; i++) {
        window[used] = used > 0 ? (samples[i] + window[used - 1]) / 2 : samples[i];
        used++;
    }
    for (int i = 0; i < used; i++)
        sum += window[i];
    return used > 0 ? (int)(sum / used) : 0;
}
