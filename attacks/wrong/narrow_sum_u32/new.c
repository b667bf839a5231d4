#include <stdint.h>
#include <stddef.h>
uint64_t sum16(const uint16_t *v, size_t n)
{
    uint32_t s = 0;
    for (size_t i = 0; i < n; i++)
        s += v[i];
    return s;
}
