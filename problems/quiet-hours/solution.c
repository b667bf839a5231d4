#include <stddef.h>

size_t quiet_hours(const int *levels, size_t count, int limit, size_t *start)
{
    size_t best = 0, run = 0;
    for (size_t i = 0; i < count; i++) {
        run = levels[i] <= limit ? run + 1 : 0;
        if (run > best) {
            best = run;
            *start = i + 1 - run;
        }
    }
    return best;
}
