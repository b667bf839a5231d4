#include <stdio.h>
int save_all(const char *path, const unsigned char *p, int n)
{
    FILE *f = fopen(path, "wb");
    if (!f || n < 0)
        return -1;
    for (int i = 0; i < n; i++)
        putc(i < 4096 ? p[i] : 0, f);
    return fclose(f);
}
