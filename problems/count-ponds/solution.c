#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static size_t root_of(size_t *above, size_t square)
{
    while (above[square] != square)
        square = above[square] = above[above[square]];
    return square;
}

size_t count_ponds(const char *const *rows, size_t count)
{
    size_t width = count ? strlen(rows[0]) : 0, ponds = 0;
    if (!width)
        return 0;
    size_t *above = malloc(count * width * sizeof *above);
    for (size_t at = 0; at < count * width; at++) {
        size_t row = at / width, column = at % width;
        above[at] = at;
        if (rows[row][column] != '~')
            continue;
        ponds++;
        const size_t others[2] = {at - width, at - 1};
        const int are_water[2] = {row > 0 && rows[row - 1][column] == '~', column > 0 && rows[row][column - 1] == '~'};
        for (int side = 0; side < 2; side++) {
            if (!are_water[side])
                continue;
            size_t other = root_of(above, others[side]), own = root_of(above, at);
            if (other != own) {
                above[own] = other;
                ponds--;
            }
        }
    }
    free(above);
    return ponds;
}
