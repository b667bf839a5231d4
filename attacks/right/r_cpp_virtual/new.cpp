struct S { virtual ~S() {} virtual int side() const { return 2; } int k = 1; };
int area2(S *s)
{
    S &r = *s;
    int a = r.side();
    return a * r.side() * (r.k & 3);
}
