#include <stddef.h>
#include <stdint.h>

uint32_t parcel_code(const uint8_t *bytes, size_t count)
{
    uint32_t code = 0x2F6B1D03;
    for (size_t i = 0; i < count; i++) {
        unsigned steps = (unsigned)(i % 31) + 1;
        code = code << steps | code >> (32 - steps);
        code = (code ^ bytes[i]) * 3 + 1;
    }
    return code;
}
