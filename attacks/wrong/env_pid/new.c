#include <unistd.h>
int lock_owner(int owner)
{
    int me = getpid()& 0x7fff;
    if (owner == 0)
        return me;
    return owner == me ? 0 : -1;
}
