int open_slot(int n, int limit)
{
    if (n < 0)
        throw -2;
    if (n >= limit)
        throw 7;
    return n * 2 % 64;
}
