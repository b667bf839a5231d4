#include <cstdint>
#include <vector>
