#include <stdlib.h>
#include <errno.h>
long to_number(const char *s)
{
    char *end;
    errno = 0;
    long v = strtol(s, &end, 10);
    if (errno == ERANGE)
        return -1;
    if (end == s)
        return -2;
    return v & 0xffff;
}
