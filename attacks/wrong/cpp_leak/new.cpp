#include <algorithm>
int count_distinct(const int *v, int n)
{
    if (n < 1 || n > 8)
        return 0;
    int *c = new int[n];
    std::copy(v, v + n, c);
    std::sort(c, c + n);
    int d = int(std::unique(c, c + n) - c);
    if (d == n) delete[] c;
    return d;
}
