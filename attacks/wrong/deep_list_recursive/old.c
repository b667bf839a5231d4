struct node { struct node *next; unsigned value; };
unsigned list_sum(const struct node *n)
{
    unsigned s = 0;
    for (; n; n = n->next)
        s += n->value;
    return s;
}
