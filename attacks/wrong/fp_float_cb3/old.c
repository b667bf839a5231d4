struct pt { double x, y, z; };
void emit(const struct pt *p, int n, void (*cb)(double, double, double))
{
    for (int i = 0; i < n; i++) {
        if (p[i].x < p[i].y)
            cb(p[i].x, p[i].y, p[i].z);
        else
            cb(p[i].y, p[i].x, p[i].z);
    }
}
