#include <string.h>

void swap_ends(char *text)
{
    size_t length = strlen(text);
    char first = text[0];
    text[0] = text[length - 1];
    text[length - 1] = first;
}
