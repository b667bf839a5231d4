#include <stdlib.h>
#include <string.h>
char *dup2x(const char *s, unsigned n)
{
    n &= 255;
    char *p = calloc(n + 1, 1);
    if (!p)
        return NULL;
    return strncpy(p, s, n);
}
