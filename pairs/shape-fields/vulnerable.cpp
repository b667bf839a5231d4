class Box {
public:
    explicit Box(int side) : width_(side) {}
    Box(int width, int height) : width_(width), height_(height) {}

    bool is_solid() const
    {
        return width_ > 0 && height_ > 0;
    }

    long area() const { return static_cast<long>(width_) * height_; }

private:
    int width_;
    int height_;
};

// The area of a shape ('s' a square, 'r' a rectangle) with these sides; 0 for another shape.
long bounding_area(const char *kind, int first, int second)
{
    if (kind[0] == '\0' || kind[1] != '\0')
        return 0;
    if (first > 10000 || second > 10000)
        return 0;
    if (kind[0] != 's' && kind[0] != 'r')
        return 0;

    Box box = kind[0] == 's' ? Box(first) : Box(first, second);
    return box.is_solid() ? box.area() : 0;
}
