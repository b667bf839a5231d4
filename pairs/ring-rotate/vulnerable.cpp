#include <cstddef>
#include <cstring>

class Window {
public:
    static const std::size_t ROOM = 16;

    bool add(int sample)
    {
        if (used_ == ROOM)
            return false;
        samples_[used_++] = sample;
        return true;
    }

    void drop(std::size_t count)
    {
        if (count > used_)
            count = used_;
        if (count > 0 && count < used_)
            std::memcpy(samples_, samples_ + count, (used_ - count) * sizeof *samples_);
        used_ -= count;
    }

    long sum() const
    {
        long all = 0;
        for (std::size_t i = 0; i < used_; i++)
            all = all * 10 + samples_[i];
        return all;
    }

private:
    int samples_[ROOM] = {};
    std::size_t used_ = 0;
};

// The digits of a window once the oldest are gone; -1 where the samples do not fit.
long drop_oldest(const int *samples, std::size_t count, std::size_t dropped)
{
    Window window;

    for (std::size_t i = 0; i < count; i++) {
        if (!window.add(samples[i]))
            return -1;
    }
    window.drop(dropped);
    return window.sum();
}
