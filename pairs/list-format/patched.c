#include <stdio.h>
#include <stdlib.h>

/* Numbers with commas between them, as much as there is room for; the caller frees it. */
char *format_numbers(const int *numbers, size_t count, size_t room)
{
    size_t used = 0;
    char *text;

    if (room < 2 || room > 4096)
        return NULL;
    text = malloc(room);
    if (text == NULL)
        return NULL;
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        used += snprintf(text + used, room - used, i ? ",%d" : "%d", numbers[i]);
        if (used >= room)
            break;
    }
    return text;
}
