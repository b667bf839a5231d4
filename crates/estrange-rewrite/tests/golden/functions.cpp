// Functions as only C++ has them; no header, so that nothing depends on the machine.
namespace shop {
template <typename T> struct Box {
    T held;
    int times = 0;
    T &open() { ++times; return held; }
};

class Basket {
public:
    explicit Basket(int limit) : limit_(limit) {}
    bool add(const Box<int> &box);
    int total() const { return total_; }
private:
    int limit_, total_ = 0;
};

bool Basket::add(const Box<int> &box)
{
    // Too much is refused.
    if (box.held > 9 && total_ + box.held > limit_)
        return false;
    total_ += box.held * 2;
    return true;
}

int fill(Basket &basket, const Box<int> *boxes, int n)
{
    int added = 0;
    for (int i = 0; i < n; i++)
        if (basket.add(boxes[i])) added++;
    auto twice = [added](int x) { return x + added; };
    return added > 3 ? twice(basket.total()) : basket.total();
}
}
