unsigned ceil_div(unsigned a, unsigned b)
{
    if (!b)
        return 0;
    return a / b + (a % b != 0);
}
