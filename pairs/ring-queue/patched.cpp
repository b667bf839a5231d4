#include <cstddef>

class EventQueue {
public:
    static const std::size_t SLOTS = 6;

    bool push(int value)
    {
        if (used_ == SLOTS)
            return false;
        slots_[tail_] = value;
        tail_++;
        if (tail_ == SLOTS)
            tail_ = 0;
        used_++;
        return true;
    }

    bool pop(int &value)
    {
        if (used_ == 0)
            return false;
        value = slots_[head_];
        head_ = (head_ + 1) % SLOTS;
        used_--;
        return true;
    }

private:
    int slots_[SLOTS] = {};
    std::size_t head_ = 0;
    std::size_t tail_ = 0;
    std::size_t used_ = 0;
};

// Plays a log of events, where zero takes one out of the queue; the sum of what was taken out, or -1 where it is full.
long replay_events(const int *events, std::size_t count)
{
    EventQueue queue;
    long sum = 0;

    for (std::size_t i = 0; i < count; i++) {
        int value = 0;
        if (events[i] != 0) {
            if (!queue.push(events[i]))
                return -1;
        } else if (queue.pop(value)) {
            sum += value;
        }
    }
    return sum;
}
