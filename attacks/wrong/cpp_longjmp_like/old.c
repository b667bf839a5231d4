int calls;
int count_calls(int x, int (*f)(int))
{
    calls = (calls & 255) + 1;
    int r = f(x);
    return r & 15;
}
