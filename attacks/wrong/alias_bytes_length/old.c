#include <stddef.h>
struct blob { unsigned short n; unsigned char key; unsigned char *data; };
void mask_all(struct blob *b)
{
    
    for (unsigned i = 0; i < b->n; i++)
        b->data[i] ^= b->key;
}
