#include <stdio.h>
int warn_if(int level, int limit, const char *what)
{
    if (level <= limit)
        return 0;
    fprintf(stderr, "warning: %s is %d, more than %d\n", what, level, limit);
    return 1;
}
