struct t { struct t *l, *r; unsigned v; };
unsigned tree_sum(const struct t *t)
{
    if (!t)
        return 0;
    return t->v + tree_sum(t->l) + tree_sum(t->r);
}
