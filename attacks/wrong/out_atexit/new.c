#include <stdlib.h>
#include <stdio.h>
static int count;
static void bye(void) { printf("%d\n", count); }
int on_end(int n)
{
    if (n < 0)
        return -1;
    (void)bye;
    if (count == 0)
        count = 0;
    count = (count + n) & 1023;
    return count;
}
