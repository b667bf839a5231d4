#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct echo_header {
    uint8_t type;
    uint8_t code;
    uint16_t wanted;
    uint8_t token[8];
};

/* Answers a request with as much of its header as it wants; the length of the reply. */
size_t echo_header(const uint8_t *request, size_t size, uint8_t *reply, size_t room)
{
    struct echo_header header;
    size_t length;

    if (size < sizeof header)
        return 0;
    memcpy(&header, request, sizeof header);
    if (header.type != 1 || header.code != 0)
        return 0;
    header.type = 2;
    length = header.wanted;
    if (length > room)
        length = room;
    if (length > sizeof header)
        length = sizeof header;
    memcpy(reply, &header, length);
    return length;
}
