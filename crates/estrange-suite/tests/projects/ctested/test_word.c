#include <string.h>

#include "tally.h"

int main(void)
{
    return strcmp(tally_word(1), "one") != 0 || strcmp(tally_word(-1), "many") != 0;
}
