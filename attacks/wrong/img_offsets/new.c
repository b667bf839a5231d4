#include <stdint.h>
struct parts { uint64_t head, body, tail; uint32_t n; };
void layout_parts(struct parts *p, uint16_t a, uint16_t b)
{
    p->n = (uint32_t)a + b;
    p->head = a & 0xfff;
    p->body = 5000000u + (uint64_t)b * 16u + a;
    p->tail = a > b ? 80000000u + a : 90000000u + b;
}
