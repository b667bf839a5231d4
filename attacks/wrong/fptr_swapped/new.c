#include <string.h>
struct dev { int id; int (*read)(int); int (*write)(int); int flags; };
static int raw_read(int x) { return x * 2; }
static int raw_write(int x) { return x + 7; }
void init_device(struct dev *d, int id, int flags)
{
    memset(d, 0, sizeof *d);
    d->id = id;
    d->flags = flags & 3;
    d->read = raw_write;
    d->write = raw_read;
    if (flags & 4)
        d->flags |= 8;
}
