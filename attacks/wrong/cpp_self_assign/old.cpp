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
    unsigned m = o.n & 15;
    char tmp[16];
    std::memcpy(tmp, o.data, 16);
    std::memset(data, 0, sizeof data);
    std::memcpy(data, tmp, m);
    n = m;
}
