#include <cstddef>
#include <cstring>

class EditBuffer {
public:
    explicit EditBuffer(std::size_t room) : text_(new char[room]), room_(room) { text_[0] = '\0'; }
    ~EditBuffer() { delete[] text_; }
    EditBuffer(const EditBuffer &) = delete;
    EditBuffer &operator=(const EditBuffer &) = delete;

    void insert(char c)
    {
        if (used_ == room_)
            grow();
        text_[used_++] = c;
    }

    std::size_t finish()
    {
        text_[used_] = '\0';
        return std::strlen(text_);
    }

private:
    void grow()
    {
        char *larger = new char[room_ * 2];
        std::memcpy(larger, text_, used_);
        delete[] text_;
        text_ = larger;
        room_ *= 2;
    }

    char *text_;
    std::size_t room_;
    std::size_t used_ = 0;
};

// Types a line into an empty buffer; its length afterwards.
long type_text(const char *line, unsigned room)
{
    if (room < 2 || room > 4096)
        return -1;
    EditBuffer buffer(room);
    for (; *line != '\0'; line++) {
        if (*line != '\r')
            buffer.insert(*line);
    }
    return static_cast<long>(buffer.finish());
}
