int level;
int run_hooks(int n, void (*hook)(int))
{
    int r = 0;
    int now = level & 15;
    for (int i = 0; i < n && i < 4; i++) {
        hook(i);
        r += now;
    }
    return r;
}
