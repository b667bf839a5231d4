#include <string>
std::string clip(const std::string &s, size_t n)
{
    return s.substr(0, n < 70000 ? n : 70000);
}
