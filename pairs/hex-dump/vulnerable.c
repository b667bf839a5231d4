#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Bytes as hexadecimal digits, with an optional separator behind each; the caller frees it. */
char *hex_encode(const uint8_t *bytes, size_t count, char separator)
{
    static const char digits[] = "0123456789abcdef";
    size_t per_byte = separator ? 3 : 2;
    char *text;
    char *out;

    if (count > 1u << 20)
        return NULL;
    text = malloc(separator ? count * per_byte + 1 : count * per_byte);
    if (text == NULL)
        return NULL;
    out = text;
    for (size_t i = 0; i < count; i++) {
        *out++ = digits[bytes[i] >> 4];
        *out++ = digits[bytes[i] & 15];
        if (separator)
            *out++ = separator;
    }
    *out = '\0';
    return text;
}
