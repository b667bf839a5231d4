#include <stdlib.h>

struct bead *drop_twins(struct bead *first)
{
    /* What stays so far, from the last to the first. */
    struct bead *kept = NULL;
    while (first) {
        struct bead *bead = first;
        first = bead->next;
        if (kept && kept->colour == bead->colour) {
            struct bead *twin = kept;
            kept = kept->next;
            free(twin);
            free(bead);
        } else {
            bead->next = kept;
            kept = bead;
        }
    }
    struct bead *turned = NULL;
    while (kept) {
        struct bead *bead = kept;
        kept = bead->next;
        bead->next = turned;
        turned = bead;
    }
    return turned;
}
