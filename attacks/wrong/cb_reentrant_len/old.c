struct list { int n; int items[16]; };
int list_each(struct list *l, int (*f)(int, void *), void *ctx)
{
    int hits = 0;
    
    for (int i = 0; i < l->n && i < 16; i++)
        hits += f(l->items[i], ctx) != 0;
    return hits;
}
