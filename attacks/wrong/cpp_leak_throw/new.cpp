#include <memory>
#include <stdexcept>
struct Pair { int a, b; };
int load_pair(const int *v, int n)
{
    Pair *p = new Pair;
    if (n < 2)
        throw std::length_error("short");
    p->a = v[0] & 1023;
    p->b = v[1] & 1023;
    int r = p->a * 2 - p->b;
    delete p;
    return r;
}
