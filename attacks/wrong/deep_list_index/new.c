struct node { struct node *next; int key; };
int list_index(const struct node *n, int key)
{
    unsigned i = 0;
    for (; n; n = n->next, i = (i + 1) & 0x1ff)
        if (n->key == key)
            return (int)i;
    return -1;
}
