#include <stddef.h>

int fewest_stamps(const int *values, size_t kinds, int postage)
{
    int fewest[5001];
    for (int sum = 0; sum <= postage; sum++)
        fewest[sum] = sum ? -1 : 0;
    /* Each single stamp is used or not: from the largest sum down, so that none is used twice. */
    for (size_t stamp = 0; stamp < 2 * kinds; stamp++) {
        int value = values[stamp / 2];
        for (int sum = postage; sum >= value; sum--) {
            int before = fewest[sum - value];
            if (before >= 0 && (fewest[sum] < 0 || before + 1 < fewest[sum]))
                fewest[sum] = before + 1;
        }
    }
    return fewest[postage];
}
