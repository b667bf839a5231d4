int calls;
int count_calls(int x, int (*f)(int))
{
    int r = f(x);
    calls = (calls & 255) + 1;
    return r & 15;
}
