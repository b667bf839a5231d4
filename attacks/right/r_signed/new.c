int clampadd(int a, int b)
{
    int s;
    if (!__builtin_add_overflow(a, b, &s))
        return s;
    return a < 0 ? -2147483647 - 1 : 2147483647;
}
