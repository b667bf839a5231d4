int hits, misses;
int count_up(int n)
{
    if (n < 0)
        return -1;
    return hits += n & 7;
}
