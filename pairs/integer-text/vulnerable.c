#include <stddef.h>
#include <string.h>

/* Writes a number as text; its length, or 0 where there is no room. */
size_t format_signed(int value, char *out, size_t room)
{
    char digits[10];
    char *end = digits + sizeof digits;
    char *p = end;
    unsigned magnitude = value < 0 ? 0u - (unsigned)value : (unsigned)value;

    do {
        *--p = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude != 0);
    if (value < 0)
        *--p = '-';

    if ((size_t)(end - p) + 1 > room)
        return 0;
    memcpy(out, p, (size_t)(end - p));
    out[end - p] = '\0';
    return (size_t)(end - p);
}
