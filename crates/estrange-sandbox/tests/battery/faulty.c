/* A program with faults that sanitizers find: faulty overflow|shift|none. */
#include <stdlib.h>
#include <string.h>

int main(int count, char **words) {
    volatile int end = 8, places = 40;
    volatile char *memory = malloc((size_t)end);
    if (count > 1 && strcmp(words[1], "overflow") == 0) memory[end] = 1;
    if (count > 1 && strcmp(words[1], "shift") == 0) places = 1 << places;
    free((void *)memory);
    return 0;
}
