#include <stddef.h>
#include <stdio.h>
#include <string.h>

static size_t run_at(const char *tiles)
{
    size_t length = 1;
    while (tiles[length] == tiles[0])
        length++;
    return length;
}

static size_t code_of_run(char *code, const char *tiles, size_t length)
{
    if (length == 1)
        return (size_t)sprintf(code, "%c", *tiles);
    return (size_t)sprintf(code, "%zu%c", length, *tiles);
}

size_t pack_roof(const char *tiles, char *packed, size_t room)
{
    char code[32];
    size_t length = 0;
    for (const char *at = tiles; *at; at += run_at(at))
        length += code_of_run(code, at, run_at(at));
    if (length + 1 > room)
        return length;
    char *to = packed;
    for (const char *at = tiles; *at; at += run_at(at)) {
        size_t count = code_of_run(code, at, run_at(at));
        memcpy(to, code, count);
        to += count;
    }
    *to = 0;
    return length;
}
