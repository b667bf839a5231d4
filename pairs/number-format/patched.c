#include <limits.h>
#include <stddef.h>

struct text_buffer {
    char bytes[64];
    size_t length;
};

static void put_char(struct text_buffer *out, char c)
{
    if (out->length + 1 < sizeof out->bytes) {
        out->bytes[out->length++] = c;
        out->bytes[out->length] = '\0';
    }
}

/* Appends a number with an optional separator between groups of three digits. */
int format_number(struct text_buffer *out, int value, char separator)
{
    char digits[16];
    int count = 0;
    unsigned int magnitude = (unsigned int)value;

    if (value < 0) {
        put_char(out, '-');
        magnitude = 0u - magnitude;
    }
    do {
        digits[count++] = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude != 0);

    while (count > 0) {
        put_char(out, digits[--count]);
        if (separator && count > 0 && count % 3 == 0)
            put_char(out, separator);
    }
    return (int)out->length;
}
