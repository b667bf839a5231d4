#include <algorithm>
#include <vector>
int count_odd(const std::vector<int> &v)
{
    int n = 0;
    for (int x : v)
        if (x & 1)
            n++;
    return n;
}
