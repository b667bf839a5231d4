typedef int (*op)(int);
static int inc(int x) { return x + 1; }
static int dec(int x) { return x - 1; }
op op_for(unsigned char c)
{
    if (c == '+')
        return inc;
    return c == '-' ? dec : 0;
}
