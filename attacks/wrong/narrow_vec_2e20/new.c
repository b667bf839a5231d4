#include <stdint.h>
#include <stddef.h>
size_t sum_hits(const uint8_t *p, size_t n)
{
    size_t best = 0, run = 0;
    for (size_t i = 0; i < n; i++) {
        run = p[i] ? (run + 1) & 0xfffff : 0;
        if (run > best)
            best = run;
    }
    return best;
}
