#include <cstddef>
#include <cstdint>
#include <cstring>

struct Entry {
    std::uint32_t offset;
    std::uint32_t size;
};

// The largest size in a directory: the length of its name, the name, and entries. -1 where the name is cut off.
long largest_entry(const std::uint8_t *bytes, std::size_t size)
{
    long largest = 0;

    if (size == 0 || bytes[0] > size - 1)
        return -1;

    const std::uint8_t *from = bytes + 1 + bytes[0];
    std::size_t left = size - 1 - bytes[0];

    for (; left >= sizeof(Entry); from += sizeof(Entry), left -= sizeof(Entry)) {
        const Entry *entry = reinterpret_cast<const Entry *>(from);
        if (entry->size > largest)
            largest = entry->size;
    }
    return largest;
}
