#include <stddef.h>

/* Sum of a block of PCM samples, as used by the checksum in the stream trailer. */
int acc_samples(const int *samples, size_t count)
{
    unsigned int total = 0;

    for (size_t i = 0; i < count; i++)
        total += (unsigned int)samples[i];

    return (int)total;
}
