#include <string>
#include <vector>
