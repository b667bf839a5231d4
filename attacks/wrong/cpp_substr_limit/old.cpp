#include <string>
std::string clip(const std::string &s, size_t n)
{
    return s.substr(0, n < 100000 ? n : 100000);
}
