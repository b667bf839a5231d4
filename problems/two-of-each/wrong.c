#include <stddef.h>

/* Uses as many stamps of a kind as it likes. */
int fewest_stamps(const int *values, size_t kinds, int postage)
{
    int fewest[5001];
    for (int sum = 0; sum <= postage; sum++) {
        fewest[sum] = sum ? -1 : 0;
        for (size_t i = 0; i < kinds; i++) {
            int before = values[i] <= sum ? fewest[sum - values[i]] : -1;
            if (before >= 0 && (fewest[sum] < 0 || before + 1 < fewest[sum]))
                fewest[sum] = before + 1;
        }
    }
    return fewest[postage];
}
