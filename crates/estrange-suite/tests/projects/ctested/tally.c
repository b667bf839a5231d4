#include "tally.h"

int tally_sum(const int *numbers, size_t count)
{
    int sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += numbers[i];
    return sum;
}

struct range tally_range(const int *numbers, size_t count)
{
    struct range range = {0, 0};
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || numbers[i] < range.low)
            range.low = numbers[i];
        if (i == 0 || numbers[i] > range.high)
            range.high = numbers[i];
    }
    return range;
}

const char *tally_word(int number)
{
    static const char *const words[] = {"none", "one", "two"};
    return number >= 0 && number < 3 ? words[number] : "many";
}
