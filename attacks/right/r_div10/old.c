#include <stdint.h>
uint32_t tenth(uint32_t n) { return n / 10; }
