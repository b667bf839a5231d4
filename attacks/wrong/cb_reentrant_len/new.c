struct list { int n; int items[16]; };
int list_each(struct list *l, int (*f)(int, void *), void *ctx)
{
    int hits = 0;
    int n = l->n < 16 ? l->n : 16;
    for (int i = 0; i < n; i++)
        hits += f(l->items[i], ctx) != 0;
    return hits;
}
