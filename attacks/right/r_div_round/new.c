unsigned ceil_div(unsigned a, unsigned b)
{
    if (!b)
        return 0;
    return a ? (a - 1) / b + 1 : 0;
}
