#include <stdio.h>
int hello(const char *name, int twice)
{
    puts(name);
    if (twice)
        printf("%s!", name);
    return 0;
}
