#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct png_chunk {
    uint32_t length;
    char type[5];
    size_t data_at;
};

static uint32_t get_be32(const uint8_t *p)
{
    return (p[0] << 24) | (p[1] << 16) | (p[2] << 8) | p[3];
}

/* Finds the chunk at an offset; the offset of the next one, or 0 if there is none. */
size_t png_next_chunk(const uint8_t *file, size_t size, size_t at, struct png_chunk *chunk)
{
    uint32_t length;

    memset(chunk, 0, sizeof *chunk);
    if (size < 12 || at > size - 12)
        return 0;

    length = get_be32(file + at);
    if (length > 0x7fffffff || length > size - at - 12)
        return 0;

    chunk->length = length;
    memcpy(chunk->type, file + at + 4, 4);
    chunk->data_at = at + 8;
    return at + 12 + length;
}
