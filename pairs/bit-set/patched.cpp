#include <cstddef>

class MarkSet {
public:
    bool add(unsigned bit)
    {
        if (bit >= 128)
            return false;
        words_[bit >> 6] |= 1ull << (bit & 63);
        return true;
    }

    bool has(unsigned bit) const { return bit < 128 && (words_[bit >> 6] >> (bit & 63) & 1) != 0; }

private:
    unsigned long long words_[2] = {0, 0};
};

// How many different bits a list marks; -1 if one is out of range.
int count_marked(const unsigned *bits, std::size_t count)
{
    MarkSet set;
    int marked = 0;

    for (std::size_t i = 0; i < count; i++) {
        if (!set.add(bits[i]))
            return -1;
    }
    for (unsigned bit = 0; bit < 128; bit++)
        marked += set.has(bit);
    return marked;
}
