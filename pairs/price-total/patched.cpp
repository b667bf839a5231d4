#include <cstddef>
#include <cstdint>

struct Cents {
    std::int64_t value;

    Cents operator*(int quantity) const
    {
        return Cents{value * quantity};
    }

    Cents &operator+=(Cents other)
    {
        value += other.value;
        return *this;
    }
};

struct OrderLine {
    int price;
    int quantity;
    bool is_gift;
};

// What an order costs after a rebate in percent; -1 for a rebate that there is not.
long order_total(const OrderLine *lines, std::size_t count, int rebate)
{
    Cents total{0};

    if (rebate < 0 || rebate > 90)
        return -1;
    for (std::size_t i = 0; i < count; i++) {
        if (lines[i].is_gift || lines[i].price < 0 || lines[i].quantity < 0)
            continue;
        if (lines[i].price > 1000000 || lines[i].quantity > 10000)
            return -1;
        total += Cents{lines[i].price} * lines[i].quantity;
    }
    return static_cast<long>(total.value) / 100 * (100 - rebate);
}
