#include <stdint.h>
int parse_flag(uint64_t a, uint64_t b)
{
    
    return (a ^ b) % 5 == 2;
}
