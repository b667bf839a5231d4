static const unsigned char next[8][3] = { { 1, 0, 0 }, { 1, 2, 0 }, { 3, 0, 0 }, { 1, 4, 0 }, { 3, 0, 5 }, { 6, 0, 0 }, { 1, 2, 0 }, { 7, 7, 7 } };
int accepts(const char *s)
{
    unsigned st = 0;
    for (; *s; s++)
        st = next[st][*s == 'a' ? 0 : *s == 'b' ? 1 : 2];
    return st == 7;
}
