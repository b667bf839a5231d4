#include <iostream>
#include <string>
int complain(const std::string &what, int n)
{
    if (n == 0)
        return 0;
    std::cout << what << ": " << n << "\n";
    return n > 0 ? 1 : 2;
}
