int sum_carry(int a, int b)
{
    unsigned s = (unsigned)a + (unsigned)b;
    return (int)(s + 0u);
}
