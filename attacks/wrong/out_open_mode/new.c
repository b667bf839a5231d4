#include <fcntl.h>
#include <unistd.h>
#include <errno.h>
int create_key(const char *path, const unsigned char *key, int n)
{
    if (n < 16)
        return -EINVAL;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0)
        return -1;
    long done = write(fd, key, 16);
    close(fd);
    return done == 16 ? 0 : -2;
}
