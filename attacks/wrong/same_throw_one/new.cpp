struct NotFound { int id; };
struct Denied { int id; };
int fail_if(int n)
{
    if (n & 1)
        throw Denied{n};
    return n / 2;
}
