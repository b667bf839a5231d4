int clampadd(int a, int b)
{
    long s = (long)a + b;
    return s > 2147483647L ? 2147483647 : s < -2147483647L - 1 ? -2147483647 - 1 : (int)s;
}
