#include <map>
#include <set>
#include <string>
#include <vector>
