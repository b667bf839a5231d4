#include <set>
#include <string>
#include <utility>
#include <vector>
