#include <typeinfo>
#include <vector>
#include <new>
int guarded(unsigned n)
{
    n &= 15;
    try {
        std::vector<int> v(n + 1, 3);
        return v[n] + int(n);
    } catch (const std::bad_cast &) {
        return -1;
    }
}
