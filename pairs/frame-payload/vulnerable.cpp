#include <cstddef>
#include <cstdint>
#include <vector>

constexpr std::size_t HEADER = 2;
constexpr std::size_t TRAILER = 2;

// A frame is a mark, its whole length, a payload, and a trailer of two bytes. The checksum of the payload, or -1.
int payload_checksum(const std::vector<std::uint8_t> &frame)
{
    if (frame.size() < HEADER || frame[0] != 0x7e)
        return -1;

    std::size_t length = frame[1];
    if (length > frame.size())
        return -1;

    std::size_t payload = length - HEADER - TRAILER;
    const std::uint8_t *byte = frame.data() + HEADER;
    std::uint16_t sum = 0xffff;

    for (std::size_t i = 0; i < payload; i++, byte++)
        sum = (sum << 1 | sum >> 15) ^ *byte;
    return sum;
}
