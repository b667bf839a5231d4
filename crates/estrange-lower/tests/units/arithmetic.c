#include <math.h>
#include <stdint.h>
#include <string.h>

static inline __attribute__((always_inline)) uint32_t turned(uint32_t value, int count) {
  return value << count | value >> (32 - count);
}

uint64_t mixed_sum(const uint8_t *bytes, size_t length, float scale) {
  uint64_t sum = 0x9e3779b97f4a7c15u;
  double product = 1;
  for (size_t at = 0; at < length; at++) {
    sum = sum * 31 + bytes[at];
    sum ^= turned((uint32_t)sum, 7);
    product *= scale + bytes[at] / 3.0f;
    if (product > 1e18 || isnan(product)) product = sqrt(product);
  }
  __int128 wide = (__int128)sum * length;
  return sum / (length | 1) + (uint64_t)(wide >> 64) + (uint64_t)product % 1000;
}
