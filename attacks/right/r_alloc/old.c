#include <stdlib.h>
#include <string.h>
char *dup2x(const char *s, unsigned n)
{
    n &= 255;
    char *p = malloc(n + 1);
    if (!p)
        return NULL;
    memset(p, 0, n + 1);
    return strncpy(p, s, n);
}
