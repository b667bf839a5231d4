#include <fcntl.h>
#include <unistd.h>
int open_private(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT, 0600);
    if (fd < 0)
        return -1;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    long n = write(fd, "lock", 4);
    return n == 4 ? fd : -2;
}
