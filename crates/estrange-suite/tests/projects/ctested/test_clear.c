#include <stdlib.h>

#include "tally.h"

int main(void)
{
    int numbers[] = {3, -1};
    tally_clear(numbers, 2);
    exit(numbers[0] != 0 || numbers[1] != 0);
}
