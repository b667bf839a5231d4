#include <stdint.h>
#include <stdlib.h>

#define MAX_SIDE 65536u
#define MAX_BYTES (64u << 20)

struct bitmap {
    uint32_t width;
    uint32_t height;
    uint32_t *pixels;
};

/* A bitmap of one colour, or NULL. */
struct bitmap *bitmap_create(uint32_t width, uint32_t height, uint32_t background)
{
    struct bitmap *bitmap;

    if (width == 0 || height == 0 || width > MAX_SIDE || height > MAX_SIDE)
        return NULL;

    uint32_t bytes = width * height * (uint32_t)sizeof(uint32_t);
    if (bytes > MAX_BYTES)
        return NULL;

    bitmap = malloc(sizeof *bitmap);
    if (bitmap == NULL)
        return NULL;
    bitmap->width = width;
    bitmap->height = height;
    bitmap->pixels = malloc(bytes);
    if (bitmap->pixels == NULL) {
        free(bitmap);
        return NULL;
    }
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            bitmap->pixels[y * width + x] = background;
    return bitmap;
}
