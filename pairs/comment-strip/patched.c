#include <string.h>

/* Takes a prefix and the blanks behind it off a line, in place; how many characters that were. */
int strip_prefix(char *line, const char *prefix)
{
    size_t length = strlen(prefix);
    char *start = line;

    if (length == 0 || strncmp(line, prefix, length) != 0)
        return 0;
    start += length;
    while (*start == ' ' || *start == '\t')
        start++;
    memmove(line, start, strlen(start) + 1);
    return (int)(start - line);
}
