class Matrix {
public:
    unsigned a[4];
    void add(const unsigned *row);
};
void Matrix::add(const unsigned *row)
{
    const unsigned *r = row;
    a[0] += r[0];
    a[1] += r[1];
    a[2] += r[0];
    a[3] += r[1];
}
