#include <stdexcept>
struct IndexError : std::out_of_range { using std::out_of_range::out_of_range; };
struct KeyError : std::out_of_range { using std::out_of_range::out_of_range; };
unsigned checked_index(unsigned i, unsigned n)
{
    if (i >= n)
        throw IndexError("bad index");
    return i * 3u + n;
}
