#include <stdint.h>
#include <stdlib.h>

struct colour {
    uint8_t red;
    uint8_t green;
    uint8_t blue;
    uint8_t alpha;
};

struct palette {
    int count;
    struct colour *colours;
};

/* How far two colours of a palette are from each other; -1 if it has not both. */
int palette_distance(const struct palette *palette, int first, int second)
{
    int distance;

    if (first < 0 || first >= palette->count || second >= palette->count)
        return -1;
    const struct colour *a = &palette->colours[first];
    const struct colour *b = &palette->colours[second];
    distance = abs(a->red - b->red);
    distance += abs(a->green - b->green) * 2;
    distance += abs(a->blue - b->blue);
    return distance;
}
