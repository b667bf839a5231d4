struct t { struct t *l, *r; unsigned v; };
unsigned tree_sum(const struct t *t)
{
    unsigned s = 0;
    while (t) {
        s += t->v + tree_sum(t->l);
        t = t->r;
    }
    return s;
}
