#include <stdio.h>
int read_line(FILE *f, unsigned *sum)
{
    int c, n = 0;
    *sum = 0;
    while ((c = getc(f)) != EOF && c != '\n') {
        *sum += (unsigned)c;
        n = (n + 1) & 0x1ff;
    }
    return n;
}
