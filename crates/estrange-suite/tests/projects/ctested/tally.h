#ifndef TALLY_H
#define TALLY_H
#include <stddef.h>

struct range {
    int low, high;
};

int tally_sum(const int *numbers, size_t count);
struct range tally_range(const int *numbers, size_t count);
const char *tally_word(int number);
void tally_clear(int *numbers, size_t count);
int tally_unused(int number);

#endif
