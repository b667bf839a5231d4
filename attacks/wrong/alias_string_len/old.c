struct buf { unsigned n; char t[28]; };
void append_text(struct buf *b, const char *s, unsigned n)
{
    (void)b; (void)s; (void)n;
}
unsigned append_char(struct buf *b, const unsigned *count, char c)
{
    unsigned k = *count & 7;
    b->n &= 15;
    for (unsigned i = 0; i < k; i++)
        b->t[b->n++ & 15] = c;
    return b->n;
}
