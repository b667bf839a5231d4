#include <cstddef>
#include <cstdint>
#include <cstring>

class Block {
public:
    Block(const char *text, std::size_t size) : size_(size), bytes_(new std::uint8_t[size])
    {
        std::memcpy(bytes_, text, size);
    }
    Block(const Block &other) : size_(other.size_), bytes_(new std::uint8_t[other.size_])
    {
        std::memcpy(bytes_, other.bytes_, other.size_);
    }
    Block &operator=(const Block &) = delete;
    ~Block() { delete[] bytes_; }

    std::size_t size() const { return size_; }
    std::uint8_t &operator[](std::size_t at) { return bytes_[at]; }

private:
    std::size_t size_;
    std::uint8_t *bytes_;
};

static std::uint32_t masked_sum(Block block, std::uint8_t mask)
{
    std::uint32_t sum = 0;

    for (std::size_t i = 0; i < block.size(); i++) {
        block[i] ^= mask;
        sum = sum * 31 + block[i];
    }
    return sum;
}

// A checksum of a text under a mask; zero for no text or no mask.
std::uint32_t checksum_twice(const char *text, std::uint8_t mask)
{
    std::size_t length = std::strlen(text);

    if (length == 0 || mask == 0)
        return 0;
    Block block(text, length);
    return masked_sum(block, mask) ^ block[0];
}
