#include <algorithm>
#include <optional>
#include <vector>
