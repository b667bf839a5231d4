#include "tally.h"

int main(void)
{
    int numbers[] = {3, -1, 4, 1};
    struct range range = tally_range(numbers, 4);
    if (tally_sum(numbers, 4) != 7)
        return 1;
    return range.low != -1 || range.high != 4;
}
