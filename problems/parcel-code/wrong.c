#include <stddef.h>
#include <stdint.h>

/* Shifts where it should rotate. */
uint32_t parcel_code(const uint8_t *bytes, size_t count)
{
    uint32_t code = 0x2F6B1D03;
    for (size_t i = 0; i < count; i++)
        code = ((code << (i % 31 + 1)) ^ bytes[i]) * 3 + 1;
    return code;
}
