void sort_ints(int *v, int n)
{
    while (n > 1) {
        int p = v[0], k = 0;
        for (int i = 1; i < n; i++)
            if (v[i] < p) {
                int t = v[++k];
                v[k] = v[i];
                v[i] = t;
            }
        v[0] = v[k];
        v[k] = p;
        if (k < n - k - 1) {
            sort_ints(v, k);
            v += k + 1;
            n -= k + 1;
        } else {
            sort_ints(v + k + 1, n - k - 1);
            n = k;
        }
    }
}
