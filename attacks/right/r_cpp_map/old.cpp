#include <map>
#include <string>
int lookup(const std::map<std::string, int> &m, const std::string &k)
{
    return m.count(k) ? m.at(k) : -1;
}
