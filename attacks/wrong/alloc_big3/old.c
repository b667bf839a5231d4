#include <stdlib.h>
#include <stddef.h>
int scratch_sum(unsigned n, unsigned v)
{
    if (n == 0 || n > 1000 * 1000 * 8)
        return -1;
    unsigned *p = malloc((size_t)n * 4);
    if (!p)
        return -2;
    for (unsigned i = 0; i < 4 && i < n; i++)
        p[i] = v + i;
    unsigned s = p[0] ^ p[n > 3 ? 3 : 0];
    free(p);
    return (int)(s & 1023);
}
