#include <stddef.h>
#include <stdio.h>

/* Forgets that the zero byte needs room, too. */
size_t pack_roof(const char *tiles, char *packed, size_t room)
{
    char code[256];
    size_t length = 0;
    for (const char *at = tiles; *at;) {
        size_t run = 1;
        while (at[run] == *at)
            run++;
        length += (size_t)(run == 1 ? sprintf(code + length, "%c", *at) : sprintf(code + length, "%zu%c", run, *at));
        at += run;
    }
    if (length <= room) {
        for (size_t i = 0; i < length; i++)
            packed[i] = code[i];
        packed[length] = 0;
    }
    return length;
}
