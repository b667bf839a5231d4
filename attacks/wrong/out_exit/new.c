#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
void die(int code, const char *why)
{
    if (code == 0)
        return;
    printf("fatal %d: %s\n", code, why);
    _exit(code > 0 ? 1 : 2);
}
