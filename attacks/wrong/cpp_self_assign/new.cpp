#include <cstring>
class Buffer {
public:
    Buffer() : n(0) { std::memset(data, 0, sizeof data); }
    void assign(const Buffer &o);
    unsigned n;
    char data[16];
};
void Buffer::assign(const Buffer &o)
{
    std::memset(data, 0, sizeof data);
    n = o.n & 15;
    std::memcpy(data, o.data, n);
}
