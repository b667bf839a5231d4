#include <utility>
#include <vector>
