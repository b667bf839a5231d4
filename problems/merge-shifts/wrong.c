#include <stddef.h>
#include <stdlib.h>

/* Who was there in both shifts stands in it twice. */
int *merge_shifts(const int *early, size_t early_count, const int *late, size_t late_count, size_t *count)
{
    size_t i = 0, j = 0;
    *count = early_count + late_count;
    if (*count == 0)
        return NULL;
    int *all = malloc(*count * sizeof *all);
    for (size_t at = 0; at < *count; at++)
        all[at] = j == late_count || (i < early_count && early[i] < late[j]) ? early[i++] : late[j++];
    return all;
}
