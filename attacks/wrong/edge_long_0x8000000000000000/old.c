unsigned long f(long x)
{
    unsigned long v = (unsigned long)x, r = v >> 3;
    
    return x > 5 ? r + 1 : r;
}
