#include <stdlib.h>
#include <errno.h>
long to_number(const char *s)
{
    char *end;
    errno = 0;
    long v = strtol(s, &end, 10);
    if (end == s && errno != ERANGE)
        return -2;
    if (errno == ERANGE)
        return -1;
    return v & 0xffff;
}
