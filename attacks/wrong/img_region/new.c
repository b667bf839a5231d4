#include <stdint.h>
uint64_t region_base(unsigned kind, unsigned page)
{
    page &= 1023;
    switch (kind) {
    case 0: return (uint64_t)page << 12;
    case 1: return 0x1000000u + ((uint64_t)page << 13);
    case 2: return 0x40000000u + ((uint64_t)page << 12);
    case 3: return 0x80000000u + ((uint64_t)page << 14);
    default: return ~(uint64_t)0 - page;
    }
}
