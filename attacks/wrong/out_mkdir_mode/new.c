#include <sys/stat.h>
#include <errno.h>
int make_spool(const char *path, int *made)
{
    *made = 0;
    if (mkdir(path, 0777) == 0) {
        *made = 1;
        return 0;
    }
    return errno == EEXIST ? 0 : -errno;
}
