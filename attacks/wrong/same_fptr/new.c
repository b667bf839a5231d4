typedef int (*f)(int);
int inc(int x) { return x + 1; }
int dec(int x) { return x - 1; }
f choose_one(int k)
{
    return k > 3 ? dec : 0;
}
