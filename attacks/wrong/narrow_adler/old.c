#include <stdint.h>
#include <stddef.h>
uint32_t adler(uint32_t start, const uint8_t *p, size_t n)
{
    uint32_t a = start & 0xffff, b = start >> 16;
    while (n > 0) {
        size_t k = n < 5552 ? n : 5552;
        n -= k;
        while (k-- > 0) {
            a += *p++;
            b += a;
        }
        a %= 65521;
        b %= 65521;
    }
    return b << 16 | a;
}
