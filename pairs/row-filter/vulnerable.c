#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MAX_ROW 1024

/* Takes the filter off a row of pixels in place, by what the pixel before was; a checksum, or -1. */
long unfilter_row(uint8_t *row, size_t width, unsigned step)
{
    uint8_t previous[MAX_ROW];
    long sum = 0;

    if ((int16_t)width > MAX_ROW || step == 0 || step > 4)
        return -1;
    memcpy(previous, row, width);
    for (size_t i = step; i < width; i++)
        row[i] = (uint8_t)(previous[i] + row[i - step]);
    for (size_t i = 0; i < width; i++)
        sum += row[i];
    return sum;
}
