#include <unistd.h>
int lock_owner(int owner)
{
    int me = getpid();
    if (owner == 0)
        return me;
    return owner == me ? 0 : -1;
}
