static unsigned char box(unsigned char x)
{
    unsigned v = x * 167u + 13;
    v += (0x9du ^ x) == 0;
    return (unsigned char)(v ^ v >> 3);
}
unsigned substitute(unsigned char *p, int n)
{
    unsigned s = 0;
    for (int i = 0; i < n; i++) {
        p[i] = box(p[i]);
        s += p[i];
    }
    return s;
}
