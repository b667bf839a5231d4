#include <stddef.h>

/* Moves to the left. */
void shear(int **grid, size_t rows, size_t columns)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t step = 0; columns && step < i % columns; step++) {
            int first = grid[i][0];
            for (size_t j = 1; j < columns; j++)
                grid[i][j - 1] = grid[i][j];
            grid[i][columns - 1] = first;
        }
}
