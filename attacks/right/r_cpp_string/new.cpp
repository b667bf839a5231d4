#include <string>
std::string join2(const std::string &a, const std::string &b)
{
    std::string r;
    r.reserve(a.size() + b.size() + 1);
    r.append(a).push_back('/');
    r.append(b);
    return r;
}
