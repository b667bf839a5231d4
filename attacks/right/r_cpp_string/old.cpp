#include <string>
std::string join2(const std::string &a, const std::string &b)
{
    return a + "/" + b;
}
