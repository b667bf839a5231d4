struct node { struct node *next; unsigned v; };
unsigned count_runs(const struct node *n)
{
    unsigned run = 0, best = 0, last = 0;
    for (; n; n = n->next) {
        run = n->v == last ? (run + 1) & 0xffff : 1;
        last = n->v;
        if (run > best)
            best = run;
    }
    return best;
}
