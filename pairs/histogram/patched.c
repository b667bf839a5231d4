#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define VALUES 256

static unsigned *make_counts(const uint8_t *bytes, size_t size)
{
    unsigned *counts = calloc(VALUES, sizeof *counts);

    if (counts == NULL)
        return NULL;
    for (size_t i = 0; i < size; i++)
        counts[bytes[i]]++;
    return counts;
}

/* The byte that is there most often; -1 for none. */
int most_frequent(const uint8_t *bytes, size_t size)
{
    unsigned *counts;
    int best = 0;

    if (bytes == NULL || size == 0)
        return -1;
    counts = make_counts(bytes, size);
    if (counts == NULL)
        return -1;
    for (int i = 1; i < VALUES; i++) {
        if (counts[i] > counts[best])
            best = i;
    }
    free(counts);
    return best;
}
