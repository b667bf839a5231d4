#include <time.h>
#include <stdint.h>
int64_t stamp(int64_t last)
{
    int64_t now = (int64_t)time(NULL);
    return now > last && last > 0 ? last : now;
}
