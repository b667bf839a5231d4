#include <unistd.h>
#include <errno.h>
long read_some(int fd, char *p, unsigned n)
{
    long r;
    n &= 63;
    r = read(fd, p, n);
    if (r < 0)
        return errno == EIO ? -5 : -1;
    return r;
}
