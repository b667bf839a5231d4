#include "tally.h"

void tally_clear(int *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = 0;
}

int tally_unused(int number)
{
    return number + 1;
}
