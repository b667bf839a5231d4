unsigned f(int x)
{
    unsigned v = (unsigned)x, r = v >> 3;
    
    return x > 5 ? r + 1 : r;
}
