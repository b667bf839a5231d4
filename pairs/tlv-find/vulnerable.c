#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Copies the value of the first element with a tag; its length, or -1. */
int tlv_find(const uint8_t *packet, size_t size, uint8_t tag, uint8_t *value, size_t room)
{
    size_t at = 0;

    while (size - at >= 2) {
        size_t length = packet[at + 1];

        if (packet[at] == tag) {
            if (length > room)
                return -1;
            memcpy(value, packet + at + 2, length);
            return (int)length;
        }
        if (length > size - at - 2)
            return -1;
        at += 2 + length;
    }
    return -1;
}
