int changed(unsigned v)
{
    static unsigned last;
    static int seen;
    int r = !seen || ((v ^ last) & 0xff) != 0;
    seen = 1;
    last = v;
    return r;
}
