#include <stddef.h>
#include <string.h>

/* Deletes characters out of a text in place; how many there were to delete. */
size_t delete_range(char *text, size_t from, size_t count)
{
    size_t length = strlen(text);

    if (from >= length)
        return 0;
    if (count > length - from)
        count = length - from;
    if (count == 0)
        return 0;
    memcpy(text + from, text + from + count, length - from - count);
    text[length - count] = '\0';
    return count;
}
