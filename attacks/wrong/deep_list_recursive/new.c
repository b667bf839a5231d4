struct node { struct node *next; unsigned value; };
unsigned list_sum(const struct node *n)
{
    if (!n)
        return 0;
    unsigned rest = list_sum(n->next);
    return n->value + rest;
}
