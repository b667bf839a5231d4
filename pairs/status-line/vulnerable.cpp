#include <cstddef>
#include <cstring>

class LineWriter {
public:
    LineWriter(char *line, std::size_t room) : at_(line), end_(line + room - 1) {}

    LineWriter &put(const char *text)
    {
        while (*text != '\0' && at_ < end_)
            *at_++ = *text++;
        *at_ = '\0';
        return *this;
    }

    LineWriter &put(int number)
    {
        char digits[12];
        char *p = digits + sizeof digits;

        *--p = '\0';
        do {
            *--p = static_cast<char>('0' + number % 10);
            number /= 10;
        } while (number > 0);
        return put(p);
    }

private:
    char *at_;
    char *end_;
};

constexpr std::size_t LINE_ROOM = 32;
constexpr std::size_t SHORT_LINE_ROOM = 24;

// Length of the line that shows an activity and its progress in percent; 0 for no progress.
std::size_t compose_status(const char *activity, int percent)
{
    if (percent < 0 || percent > 100)
        return 0;

    char line[SHORT_LINE_ROOM];
    LineWriter writer(line, LINE_ROOM);
    writer.put("[").put(activity).put("] ").put(percent).put("%");
    return std::strlen(line);
}
