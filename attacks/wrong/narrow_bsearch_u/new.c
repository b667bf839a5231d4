#include <stdint.h>
uint32_t find_first(const uint8_t *v, uint32_t n, uint8_t what)
{
    uint32_t lo = 0, hi = n;
    while (lo < hi) {
        uint32_t mid = (lo + hi) >> 1;
        if (v[mid] < what)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}
