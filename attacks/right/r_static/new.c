int ticket(void)
{
    static unsigned n;
    n = n + 1;
    return (int)(n % 256);
}
