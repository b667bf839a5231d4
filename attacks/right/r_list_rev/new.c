struct node { struct node *next; int v; };
struct node *reverse(struct node *n)
{
    struct node *head = 0, *rest;
    for (; n; n = rest) {
        rest = n->next;
        n->next = head;
        head = n;
    }
    return head;
}
