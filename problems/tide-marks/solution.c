#include <stddef.h>

void tide_marks(int *heights, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (heights[i] < heights[i - 1])
            heights[i] = heights[i - 1];
}
