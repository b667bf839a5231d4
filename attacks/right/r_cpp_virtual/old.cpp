struct S { virtual ~S() {} virtual int side() const { return 2; } int k = 1; };
int area2(S *s)
{
    return s->side() * s->side() * (s->k & 3);
}
