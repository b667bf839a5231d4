#include <limits.h>

long acc(long a, long b)
{
    return a + b;
}
