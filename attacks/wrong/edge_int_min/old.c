unsigned magnitude2(int x)
{
    unsigned u = x < 0 ? 0u - (unsigned)x : (unsigned)x;
    return u + 0u;
}
