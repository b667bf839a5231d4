#include <stddef.h>

/* Water below the mark is taken for water at the mark. */
void tide_marks(int *heights, size_t count)
{
    int line = 0;
    for (size_t i = 0; i < count; i++) {
        if (heights[i] > line)
            line = heights[i];
        heights[i] = line;
    }
}
