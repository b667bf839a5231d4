#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int need_positive(int a, int b, int c)
{
    int s = (a & 1023) + (b & 1023) * 2 - (c & 1023);
    if (a > b)
        s += 3;
    else
        s -= b & 7;
    if (c == 77) {
        printf("cannot do %d\n", s);
        exit(2);
    }
    return s;
}
