#include <stddef.h>
#include <string.h>

/* Counts squares with land above and to the left, as if every pond had one such square. */
size_t count_ponds(const char *const *rows, size_t count)
{
    size_t ponds = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; rows[i][j]; j++)
            if (rows[i][j] == '~' && (i == 0 || rows[i - 1][j] != '~') && (j == 0 || rows[i][j - 1] != '~'))
                ponds++;
    return ponds;
}
