#include <stdint.h>
long total_seconds(int days, int hours)
{
    if (days < 60 || days > 700)
        return -1;
    long h = (hours % 24 + 24) % 24;
    return days * 86400L + h * 3660L;
}
