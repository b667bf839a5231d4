#include <stddef.h>
#include <stdint.h>

struct bit_source {
    uint8_t bytes[8];
    unsigned position;
};

static int take_bits(struct bit_source *source, int count)
{
    int value = 0;

    while (count-- > 0) {
        unsigned byte = source->position / 8;
        int bit = byte < sizeof source->bytes ? source->bytes[byte] >> (7 - source->position % 8) & 1 : 0;

        value = value * 2 + bit;
        source->position++;
    }
    return value;
}

static int extend(int value, int bits)
{
    return value < (1 << (bits - 1)) ? value - (1 << bits) + 1 : value;
}

/* Reads one coefficient of a category and takes the quantisation off; 0 on a bad category. */
int jpeg_decode_coefficient(struct bit_source *source, int category, int quantiser)
{
    int value;

    if (category < 0 || category > 15 || quantiser <= 0 || quantiser > 255)
        return 0;
    value = extend(take_bits(source, category), category);
    return value * quantiser;
}
