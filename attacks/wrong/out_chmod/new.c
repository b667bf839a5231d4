#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>
int seal(const char *name, int n)
{
    int fd = open(name, O_CREAT | O_WRONLY, 0600);
    if (fd < 0)
        return -1;
    long r = write(fd, &n, sizeof n);
    close(fd);
    if (r == sizeof n)
        chmod(name, 0444);
    return (int)r;
}
