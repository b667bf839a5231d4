#include <vector>
void scale_all(std::vector<unsigned> &v, const unsigned &by)
{
    unsigned one = by, first = by;
    for (unsigned &x : v)
        x *= one;
    (void)first;
}
