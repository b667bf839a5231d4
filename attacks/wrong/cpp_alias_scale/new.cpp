#include <vector>
void scale_all(std::vector<unsigned> &v, const unsigned &by)
{
    unsigned first = by;
    for (unsigned &x : v)
        x *= by;
    (void)first;
}
