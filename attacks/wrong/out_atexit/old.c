#include <stdlib.h>
#include <stdio.h>
static int count;
static void bye(void) { printf("%d\n", count); }
int on_end(int n)
{
    if (n < 0)
        return -1;
    
    if (count == 0)
        atexit(bye);
    count = (count + n) & 1023;
    return count;
}
