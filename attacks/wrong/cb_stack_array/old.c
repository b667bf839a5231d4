int each_pair(const int *v, int n, int (*f)(const int *, int))
{
    int pair[2], hits = 0;
    for (int i = 0; i + 1 < n; i++) {
        pair[0] = v[i];
        pair[1] = v[i + 1];
        if (f(pair, 2))
            hits++;
    }
    return hits;
}
