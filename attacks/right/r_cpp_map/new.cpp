#include <map>
#include <string>
int lookup(const std::map<std::string, int> &m, const std::string &k)
{
    auto i = m.find(k);
    return i != m.end() ? i->second : -1;
}
