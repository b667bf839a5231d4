#include <stdint.h>
uint32_t verify2(const char *s)
{
    uint32_t h = 2166136261u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    
    return h;
}
