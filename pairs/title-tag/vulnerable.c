#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TITLE_WIDTH 30

static size_t trimmed_length(const char *text)
{
    size_t length = 0;

    while (text[length] != '\0')
        length++;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    return length;
}

/* Length of the title in a tag at the end of a file; -1 if there is no tag. */
int tag_title_length(const uint8_t *tag, size_t size)
{
    char *title;
    size_t length;

    if (size < 3 + TITLE_WIDTH || memcmp(tag, "TAG", 3) != 0)
        return -1;
    title = malloc(TITLE_WIDTH);
    if (title == NULL)
        return -1;
    memcpy(title, tag + 3, TITLE_WIDTH);
    length = trimmed_length(title);
    free(title);
    return (int)length;
}
