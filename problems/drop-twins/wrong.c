#include <stdlib.h>

/* Goes along the string only once. */
struct bead *drop_twins(struct bead *first)
{
    struct bead **at = &first;
    while (*at && (*at)->next) {
        if ((*at)->colour == (*at)->next->colour) {
            struct bead *one = *at, *other = one->next;
            *at = other->next;
            free(one);
            free(other);
        } else {
            at = &(*at)->next;
        }
    }
    return first;
}
