struct node { struct node *next; int v; };
struct node *reverse(struct node *n)
{
    struct node *done = 0;
    while (n) {
        struct node *next = n->next;
        n->next = done;
        done = n;
        n = next;
    }
    return done;
}
