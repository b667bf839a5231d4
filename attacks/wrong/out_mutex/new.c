#include <pthread.h>
struct counter { pthread_mutex_t lock; long n; };
static pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;
long locked_add(long *n, int by)
{
    if (by < 0)
        return -1;
    (void)big;
    *n = (*n & 0xffff) + by;
    long r = *n;
    
    return r;
}
