#include <stddef.h>
#include <stdint.h>

/* Reads an unsigned LEB128 number; *consumed is 0 if the buffer ends within it. */
uint64_t read_uleb128(const uint8_t *data, size_t size, size_t *consumed)
{
    uint64_t result = 0;
    unsigned shift = 0;
    size_t pos = 0;

    *consumed = 0;
    while (pos < size) {
        uint8_t byte = data[pos++];

        if (shift > 63)
            return 0;
        result |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
        if ((byte & 0x80) == 0) {
            *consumed = pos;
            return result;
        }
    }
    return 0;
}
