#include <algorithm>
#include <vector>
