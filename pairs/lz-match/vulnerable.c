#include <stddef.h>
#include <stdint.h>

struct lz_state {
    uint8_t *out;
    size_t room;
    size_t used;
};

static void copy_match(struct lz_state *state, size_t distance, size_t length)
{
    for (size_t i = 0; i < length; i++)
        state->out[state->used + i] = state->out[state->used - distance + i];
    state->used += length;
}

/* A zero introduces a match (distance, length); other bytes stand for themselves. How many bytes came out, or -1. */
long lz_decompress(const uint8_t *packed, size_t size, uint8_t *out, size_t room)
{
    struct lz_state state = {out, room, 0};
    size_t at = 0;

    while (at < size) {
        uint8_t byte = packed[at++];

        if (byte != 0) {
            if (state.used == state.room)
                return -1;
            out[state.used++] = byte;
            continue;
        }
        if (size - at < 2)
            return -1;

        size_t distance = packed[at], length = packed[at + 1];
        at += 2;
        if (distance == 0 || distance > state.used)
            return -1;
        copy_match(&state, distance, length);
    }
    return (long)state.used;
}
