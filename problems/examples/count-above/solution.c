#include <stddef.h>

size_t count_above(const int *values, size_t count, int limit)
{
    size_t above = 0;
    for (size_t i = 0; i < count; i++)
        if (values[i] > limit)
            above++;
    return above;
}
