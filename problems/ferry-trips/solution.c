#include <stddef.h>
#include <stdint.h>

size_t ferry_trips(const unsigned *lengths, size_t count, unsigned deck)
{
    size_t trips = 0;
    unsigned left = 0;
    for (size_t i = 0; i < count; i++) {
        if (lengths[i] > deck)
            return SIZE_MAX;
        if (trips == 0 || lengths[i] > left) {
            trips++;
            left = deck;
        }
        left -= lengths[i];
    }
    return trips;
}
