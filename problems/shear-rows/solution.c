#include <stddef.h>

static void turn(int *from, int *to)
{
    while (from < to) {
        int kept = *from;
        *from++ = *--to;
        *to = kept;
    }
}

void shear(int **grid, size_t rows, size_t columns)
{
    for (size_t i = 0; i < rows && columns; i++) {
        size_t steps = i % columns;
        turn(grid[i], grid[i] + columns);
        turn(grid[i], grid[i] + steps);
        turn(grid[i] + steps, grid[i] + columns);
    }
}
