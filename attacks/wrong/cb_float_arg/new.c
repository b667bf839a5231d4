void walk_floats(const float *v, int n, void (*visit)(int, float))
{
    for (int i = 0; i < n; i++) {
        if (v[i] > 0.5f)
            visit(i, v[i] * 2);
        else if (v[i] < -0.5f)
            visit(-i - 1, v[i]);
    }
}
