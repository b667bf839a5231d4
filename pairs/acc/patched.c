#include <limits.h>

long acc(long a, long b)
{
    return (long)((unsigned long)a + (unsigned long)b);
}
