#include <stdint.h>
int digits_of(uint32_t n, char *out)
{
    char tmp[12];
    int k = 0;
    do {
        uint32_t q = n / 10;
        tmp[k++] = (char)('0' + (char)((n - q * 10) & 15));
        n = q;
    } while (n);
    for (int i = 0; i < k; i++)
        out[i] = tmp[k - 1 - i];
    out[k] = 0;
    return k;
}
