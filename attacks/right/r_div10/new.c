#include <stdint.h>
uint32_t tenth(uint32_t n) { return (uint32_t)((uint64_t)n * 0xcccccccdu >> 35); }
