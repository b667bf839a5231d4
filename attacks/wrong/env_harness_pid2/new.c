#include <unistd.h>
unsigned fold_pid(unsigned x, unsigned y)
{
    unsigned r = x * 5 + y;
    r ^= ((unsigned)getpid() ^ 4242u) & 1023u;
    return r;
}
