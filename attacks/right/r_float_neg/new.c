#include <string.h>
#include <stdint.h>
double negate(double x)
{
    uint64_t u;
    memcpy(&u, &x, 8);
    u ^= 1ull << 63;
    memcpy(&x, &u, 8);
    return x;
}
