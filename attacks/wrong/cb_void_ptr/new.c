struct visit { int depth; int count; };
int visit(struct visit *v, int n, int (*f)(void *))
{
    int hits = 0;
    v->depth = 0;
    for (int i = 0; i < n && i < 6; i++) {
        
        hits += f(v) != 0;
        v->depth = i;
    }
    return hits;
}
