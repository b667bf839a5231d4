int ticket(void)
{
    static unsigned n;
    return (int)(++n & 0xff);
}
