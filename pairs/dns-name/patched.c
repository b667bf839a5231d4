#include <ctype.h>
#include <stddef.h>
#include <stdint.h>

static char *copy_label(char *out, const uint8_t *label, size_t length)
{
    for (size_t i = 0; i < length; i++)
        *out++ = (char)tolower(label[i]);
    return out;
}

/* Writes a name without compression as text; the number of bytes it takes in the message, or -1. */
int dns_expand_name(const uint8_t *message, size_t size, char *name, size_t room)
{
    char *out = name;
    size_t at = 0;

    while (at < size && message[at] != 0) {
        size_t length = message[at++];

        if (length > 63)
            return -1;
        if ((size_t)(out - name) + length + 2 > room)
            return -1;
        if (length > size - at)
            return -1;
        if (out != name)
            *out++ = '.';
        out = copy_label(out, message + at, length);
        at += length;
    }
    if (room == 0 || at >= size)
        return -1;
    *out = '\0';
    return (int)at + 1;
}
