#include <stddef.h>
#include <string.h>

struct record {
    unsigned char bytes[128];
    size_t used;
};

/* Appends a field (its tag, its length, its value) to a record; the size of the record, or 0 if it is full. */
size_t append_field(struct record *record, unsigned char tag, const char *value, size_t length)
{
    if (length > 127 || record->used > sizeof record->bytes - 2)
        return 0;
    if (length > sizeof record->bytes - 2 - record->used)
        return 0;
    record->bytes[record->used++] = tag;
    record->bytes[record->used++] = (unsigned char)length;
    if (length > 0)
        memcpy(record->bytes + record->used, value, length);
    record->used += length;
    return record->used;
}
