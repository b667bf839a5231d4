int each(const int *v, int n, int (*f)(int))
{
    int hits = 0;
    for (int i = 0; i < n; i++)
        if (f(v[i]))
            hits++;
    return hits;
}
