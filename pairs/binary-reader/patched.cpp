#include <cstddef>
#include <cstdint>
#include <string>

class BinaryReader {
public:
    BinaryReader(const std::uint8_t *data, std::size_t size) : data_(data), size_(size) {}

    bool u16(std::uint16_t &to)
    {
        if (size_ - position_ < 2)
            return false;
        unsigned value = data_[position_] | data_[position_ + 1] << 8;
        position_ += 2;
        to = static_cast<std::uint16_t>(value);
        return true;
    }

    bool text(std::size_t length, std::string &to)
    {
        if (position_ > size_ || length > size_ - position_)
            return false;
        to.assign(reinterpret_cast<const char *>(data_) + position_, length);
        position_ += length;
        return true;
    }

private:
    const std::uint8_t *data_;
    std::size_t size_;
    std::size_t position_ = 0;
};

// An entry is a version, the length of a name, and the name.
int read_entry_name(const std::uint8_t *entry, std::size_t size, std::string &name)
{
    BinaryReader reader(entry, size);
    std::uint16_t version = 0, length = 0;

    if (!reader.u16(version) || version == 0 || version > 3)
        return -1;
    if (!reader.u16(length))
        return -2;
    return reader.text(length, name) ? version : -3;
}
