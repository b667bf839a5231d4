#include <cctype>
#include <string>
