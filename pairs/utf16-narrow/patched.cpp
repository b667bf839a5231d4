#include <cstddef>
#include <string>
#include <vector>

// The text of UTF-16 units without surrogates as UTF-8; empty where there is one.
std::string utf16_to_utf8(const char16_t *units, std::size_t count)
{
    std::vector<char> buffer(count * 3);
    char *out = buffer.data();

    for (std::size_t i = 0; i < count; i++) {
        unsigned unit = units[i];

        if (unit >= 0xd800 && unit < 0xe000)
            return std::string();
        if (unit < 0x80) {
            *out++ = static_cast<char>(unit);
            continue;
        }
        if (unit < 0x800) {
            *out++ = static_cast<char>(0xc0 | unit >> 6);
        } else {
            *out++ = static_cast<char>(0xe0 | unit >> 12);
            *out++ = static_cast<char>(0x80 | (unit >> 6 & 0x3f));
        }
        *out++ = static_cast<char>(0x80 | (unit & 0x3f));
    }
    return std::string(buffer.data(), out);
}
