#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* PackBits with the run flag in the top bit; the number of bytes written, or -1. */
long rle_expand(const uint8_t *packed, size_t size, uint8_t *out, size_t room)
{
    size_t at = 0;
    size_t written = 0;

    while (at + 1 < size) {
        uint8_t control = packed[at];

        if (control & 0x80) {
            size_t run = (size_t)(control & 0x7f) + 1;

            memset(out + written, packed[at + 1], run);
            written += run;
            at += 2;
        } else {
            size_t literal = (size_t)control + 1;

            if (literal > size - at - 1 || literal > room - written)
                return -1;
            memcpy(out + written, packed + at + 1, literal);
            written += literal;
            at += 1 + literal;
        }
    }
    return (long)written;
}
