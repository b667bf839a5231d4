#include <unistd.h>
int link_to(const char *name, int n)
{
    if (n < 0)
        return -1;
    return symlink("previous", name);
}
