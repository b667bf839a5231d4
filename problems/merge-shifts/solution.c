#include <stddef.h>
#include <stdlib.h>

int *merge_shifts(const int *early, size_t early_count, const int *late, size_t late_count, size_t *count)
{
    size_t i = 0, j = 0;
    *count = 0;
    if (early_count + late_count == 0)
        return NULL;
    int *all = malloc((early_count + late_count) * sizeof *all);
    while (i < early_count || j < late_count) {
        if (j == late_count || (i < early_count && early[i] < late[j]))
            all[(*count)++] = early[i++];
        else {
            if (i < early_count && early[i] == late[j])
                i++;
            all[(*count)++] = late[j++];
        }
    }
    return all;
}
