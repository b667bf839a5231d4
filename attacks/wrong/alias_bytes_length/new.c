#include <stddef.h>
struct blob { unsigned short n; unsigned char key; unsigned char *data; };
void mask_all(struct blob *b)
{
    unsigned char key = b->key;
    for (unsigned i = 0; i < b->n; i++)
        b->data[i] ^= key;
}
