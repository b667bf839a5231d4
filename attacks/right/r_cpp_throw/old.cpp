#include <stdexcept>
#include <vector>
int at_or(const std::vector<int> &v, unsigned i, bool strict)
{
    if (i < v.size())
        return v[i];
    if (strict)
        throw std::out_of_range("no such element");
    return 0;
}
