unsigned f(int x)
{
    unsigned v = (unsigned)x, r = v >> 3;
    unsigned d = v ^ 0x80000001u;
    r ^= 1 & ~((d | -d) >> 31);
    return x > 5 ? r + 1 : r;
}
