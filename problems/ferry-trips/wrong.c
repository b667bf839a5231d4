#include <stddef.h>
#include <stdint.h>

/* Adds up all lengths, as if vehicles could be divided. */
size_t ferry_trips(const unsigned *lengths, size_t count, unsigned deck)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        if (lengths[i] > deck)
            return SIZE_MAX;
        total += lengths[i];
    }
    return deck ? (total + deck - 1) / deck : 0;
}
