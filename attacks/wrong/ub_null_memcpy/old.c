#include <string.h>
struct sb { char data[64]; unsigned n; };
int append(struct sb *s, const char *p, unsigned n)
{
    if (s->n > 64 || n > 64 - s->n)
        return -1;
    if (n)
        memcpy(s->data + s->n, p, n);
    s->n += n;
    return 0;
}
