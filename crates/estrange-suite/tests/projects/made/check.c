#include <stdio.h>
#include <string.h>

#include "tally.h"

int failures;

static void check(int number, int holds, const char *name)
{
    printf("%sok %d - %s\n", holds ? "" : "not ", number, name);
    fflush(stdout);
    failures += !holds;
}

int main(void)
{
    int numbers[] = {3, -1, 4, 1};
    struct range range;
    printf("1..4\n");
    check(1, tally_sum(numbers, 4) == 7, "sum");
    range = tally_range(numbers, 4);
    check(2, range.low == -1 && range.high == 4, "range");
    check(3, strcmp(tally_word(2), "two") == 0 && strcmp(tally_word(7), "many") == 0, "word");
    tally_clear(numbers, 4);
    check(4, numbers[0] == 0 && numbers[3] == 0, "clear");
    return failures != 0;
}
