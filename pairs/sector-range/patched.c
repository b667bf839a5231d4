#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct disk_image {
    uint32_t size;
    const uint8_t *bytes;
    int is_open;
    long reads;
};

/* Copies a part of an image; the number of bytes, or a negative error. */
long read_sectors(struct disk_image *image, uint16_t offset, uint16_t length, uint8_t *out, size_t room)
{
    unsigned end = (unsigned)offset + length;

    if (!image->is_open)
        return -1;
    if (length > room)
        return -2;
    if (end > image->size)
        return -3;
    memcpy(out, image->bytes + offset, length);
    image->reads++;
    return (long)length;
}
