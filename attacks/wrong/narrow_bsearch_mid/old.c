int find_byte(const unsigned char *v, int n, unsigned char what)
{
    int lo = 0, hi = n - 1;
    while (lo <= hi) {
        int mid = lo + (hi - lo) / 2;
        if (v[mid] == what)
            return mid;
        if (v[mid] < what)
            lo = mid + 1;
        else
            hi = mid - 1;
    }
    return -1;
}
