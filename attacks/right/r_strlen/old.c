#include <stddef.h>
size_t length(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}
