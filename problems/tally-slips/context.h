#include <cstdlib>
#include <map>
#include <string>
#include <vector>
