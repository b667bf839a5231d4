#include <unistd.h>
#include <stdlib.h>
int colour_wanted(int mode)
{
    if (mode == 1)
        return 1;
    if (mode == 2)
        return 0;
    return isatty(1) != 0;
}
