#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int save_safely(const char *p, int n)
{
    int fd = open("state.tmp", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || n < 0)
        return -1;
    long done = write(fd, p, (unsigned)n & 31);
    fsync(fd);
    close(fd);
    return done < 0 ? -1 : rename("state.tmp", "state");
}
