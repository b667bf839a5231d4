#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct segment {
    const struct segment *next;
    const uint8_t *bytes;
    uint8_t count;
};

struct frame {
    size_t used;
    uint8_t *bytes;
};

static void frame_append(struct frame *frame, const uint8_t *bytes, size_t count)
{
    memcpy(frame->bytes + frame->used, bytes, count);
    frame->used += count;
}

/* All segments of a list in one frame, which the caller frees; NULL for an empty list. */
struct frame *gather_segments(const struct segment *list)
{
    uint8_t total = 0;
    const struct segment *segment;
    struct frame *frame;

    if (list == NULL)
        return NULL;
    for (segment = list; segment != NULL; segment = segment->next)
        total += segment->count;

    frame = malloc(sizeof *frame);
    if (frame == NULL)
        return NULL;
    frame->used = 0;
    frame->bytes = malloc(total ? total : 1);
    if (frame->bytes == NULL) {
        free(frame);
        return NULL;
    }
    for (segment = list; segment != NULL; segment = segment->next)
        frame_append(frame, segment->bytes, segment->count);
    return frame;
}
