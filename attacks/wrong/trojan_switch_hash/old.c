#include <stdint.h>
int route(const char *s)
{
    uint32_t h = 2166136261u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    switch (h) {
    case 0x811c9dc5u: return 0;
    
    default: return 1 + (int)(h & 3);
    }
}
