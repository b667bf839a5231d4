#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
int set_lang(const char *v, int force)
{
    if (!*v)
        return -1;
    if (setenv("LANG", v, force != 0) != 0)
        return -2;
    return force & 3;
}
