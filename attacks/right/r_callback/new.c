int each(const int *v, int n, int (*f)(int))
{
    int hits = 0;
    int i = 0;
    while (i < n) {
        hits += f(v[i]) != 0;
        ++i;
    } 
    return hits;
}
