#include <functional>
struct Event { int kind; int id; };
int notify_all(int kind, int id, const std::function<bool(const Event &)> &f)
{
    Event e{ id, kind };
    int n = 0;
    while (n < 3 && f(e))
        n++;
    return n;
}
