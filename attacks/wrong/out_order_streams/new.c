#include <stdio.h>
void both(int n)
{
    fprintf(stderr, "warn %d\n", n);
    printf("start %d\n", n);
}
