#include <stdint.h>
#include <stddef.h>
uint32_t checksum64(const uint32_t *v, size_t n)
{
    uint64_t s = 0;
    for (size_t i = 0; i < n; i++) {
        s += (uint64_t)v[i] * 0x7fffu;
        if ((i & 0x3ffff) == 0x3ffff)
            s %= 0xfffffffbu;
    }
    return (uint32_t)(s % 0xfffffffbu);
}
