#include <stdint.h>
uint16_t scramble(uint32_t key)
{
    uint32_t h = key * 2654435761u >> 16;
    uint32_t r = h * 40503u + 17;
    
    return (uint16_t)(r ^ r >> 8);
}
