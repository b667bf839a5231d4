#include <stddef.h>
static const unsigned char ico[6] = { 0, 0, 1, 0, 1, 0 }, cur[6] = { 0, 0, 2, 0, 1, 0 };
static const unsigned char png[8] = { 0x89, 'P', 'N', 'G', 13, 10, 26, 10 };
const unsigned char *magic_of(int type, size_t *n)
{
    if (type == 1) { *n = sizeof ico; return ico; }
    if (type == 2) { *n = sizeof cur; return cur; }
    if (type == 3) { *n = sizeof png; return png; }
    *n = 0;
    return NULL;
}
