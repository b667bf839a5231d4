#include <stdio.h>
int report_int(int value, int limit, int (*sink)(const char *, int))
{
    char line[32];
    int n;
    if (value > limit)
        n = snprintf(line, sizeof line, "over %d", value);
    else
        n = snprintf(line, sizeof line, "in %u", (unsigned)value);
    return sink(line, n);
}
