#include <stdint.h>
#include <string.h>

#define SLOT_SIZE 256

enum { QUEUED = 1, EMPTY = 0, TOO_LONG = -1 };

struct payload_slot {
    uint32_t sequence;
    int used;
    uint8_t bytes[SLOT_SIZE];
};

/* Stores a payload in a slot for sending; what became of it. */
int queue_payload(struct payload_slot *slot, const uint8_t *payload, int length)
{
    if (length > SLOT_SIZE)
        return TOO_LONG;
    if (length == 0) {
        slot->used = 0;
        return EMPTY;
    }
    memcpy(slot->bytes, payload, length);
    slot->used = length;
    slot->sequence++;
    return QUEUED;
}
