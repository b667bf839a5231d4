#include <algorithm>
#include <set>
#include <string>
#include <vector>
