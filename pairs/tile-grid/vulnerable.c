#include <stdint.h>

#define NO_TILE 0xffffffffu

struct tiff_directory {
    uint32_t width;
    uint32_t height;
    uint32_t tile_width;
    uint32_t tile_height;
    uint16_t planes;
};

/* Number of the tile that holds a pixel of a plane. */
uint32_t tiff_tile_index(const struct tiff_directory *dir, uint32_t x, uint32_t y, uint16_t plane)
{
    if (x >= dir->width || y >= dir->height || plane >= dir->planes)
        return NO_TILE;
    if (dir->width > 65535 || dir->height > 65535)
        return NO_TILE;
    if (dir->tile_height == 0)
        return NO_TILE;

    uint32_t across = (dir->width + dir->tile_width - 1) / dir->tile_width;
    uint32_t down = (dir->height + dir->tile_height - 1) / dir->tile_height;
    uint32_t in_plane = y / dir->tile_height * across + x / dir->tile_width;

    return plane * across * down + in_plane;
}
