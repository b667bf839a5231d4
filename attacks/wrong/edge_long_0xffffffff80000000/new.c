unsigned long f(long x)
{
    unsigned long v = (unsigned long)x, r = v >> 3;
    unsigned long d = v ^ 0xffffffff80000000ul;
    r ^= 1 & ~((d | -d) >> 63);
    return x > 5 ? r + 1 : r;
}
