#include <string.h>
struct rec { int n; char name[24]; };
int set_name(struct rec *r, const char *name, int n)
{
    if (n < 0 || n > 23)
        return -1;
    memmove(r->name, name, n);
    r->name[n] = 0;
    r->n = n;
    return n;
}
