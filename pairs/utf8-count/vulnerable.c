#include <stddef.h>
#include <stdint.h>

static size_t sequence_length(uint8_t lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xc2 && lead < 0xe0)
        return 2;
    if (lead >= 0xe0 && lead < 0xf0)
        return 3;
    if (lead >= 0xf0 && lead < 0xf5)
        return 4;
    return 0;
}

/* Number of characters in a text, or -1 where it is not UTF-8. */
long utf8_count(const uint8_t *text, size_t size)
{
    long count = 0;
    size_t at = 0;

    while (at < size) {
        size_t length = sequence_length(text[at]);

        if (length == 0)
            return -1;
        for (size_t i = 1; i < length; i++) {
            if ((text[at + i] & 0xc0) != 0x80)
                return -1;
        }
        at += length;
        count++;
    }
    return count;
}
