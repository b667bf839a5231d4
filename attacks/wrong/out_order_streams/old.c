#include <stdio.h>
void both(int n)
{
    printf("start %d\n", n);
    fprintf(stderr, "warn %d\n", n);
}
