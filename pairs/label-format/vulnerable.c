#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct label {
    const char *pattern;
    long value;
};

/* Writes a label by its pattern, in which "%ld" stands for its value; the length, or -1. */
int format_label(const struct label *label, char *out, size_t room)
{
    const char *percent = strchr(label->pattern, '%');
    int length;

    if (percent == NULL || strchr(percent + 1, '%') != NULL)
        return -1;
    length = snprintf(out, room, label->pattern, label->value);
    if (length < 0 || (size_t)length >= room)
        return -1;
    return length;
}
