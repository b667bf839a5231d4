struct Shape { int tag = 0; virtual ~Shape() {} virtual int area() const = 0; };
struct Sq : Shape { int area() const override { return 4; } };
struct Tri : Shape { int area() const override { return 2; } };
Shape *make_shape(int n)
{
    if (n <= 0)
        return nullptr;
    Shape *s = new Sq;
    s->tag = n & 7;
    return s;
}
