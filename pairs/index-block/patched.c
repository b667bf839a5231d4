#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Adds the offsets of an index block: a count in one byte, then offsets of four bytes each. -1 if it is cut off. */
long sum_index_block(const uint8_t *block, size_t size)
{
    size_t count, at = 1;
    long sum = 0;

    if (size == 0)
        return -1;
    count = block[0];
    if (count > (size - 1) / sizeof(uint32_t))
        return -1;
    for (size_t i = 0; i < count; i++) {
        uint32_t offset;
        memcpy(&offset, block + at, sizeof offset);

        if (offset == UINT32_MAX)
            continue;
        sum += offset;
        at += sizeof offset;
    }
    return sum;
}
