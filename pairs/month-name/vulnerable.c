#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static const char *const months[12] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/* Writes the packed date of a directory entry (7 bits year, 4 bits month, 5 bits day); its length, or -1. */
int format_date(uint16_t packed, char *out, size_t room)
{
    unsigned day = packed & 31u;
    unsigned month = packed >> 5 & 15u;
    unsigned year = 1980u + (packed >> 9);
    int length;

    if (day < 1 || month > 12)
        return -1;
    length = snprintf(out, room, "%02u %s %u", day, months[month - 1], year);
    if (length < 0 || (size_t)length >= room)
        return -1;
    return length;
}
