#include <stdio.h>
int hello(const char *name, int twice)
{
    printf("%s\n", name);
    if (twice)
        printf("%s!", name);
    return 0;
}
