#include <numeric>
#include <vector>
long total(const std::vector<unsigned short> &v)
{
    return std::accumulate(v.begin(), v.end(), 0u);
}
