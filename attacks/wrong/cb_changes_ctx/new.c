struct walk { int stop; int n; int v[8]; };
int sum_until(struct walk *w, void (*f)(int))
{
    int s = 0;
    int stop = w->stop;
    for (int i = 0; i < 8 && !stop; i++) {
        s += w->v[i] & 255;
        f(w->v[i]);
    }
    return s;
}
