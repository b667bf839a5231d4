#include <stdint.h>

struct time_base {
    int32_t rate;
    int32_t step;
};

/* Frame number of a timestamp; 0 if the stream has no usable time base. */
int64_t rescale_timestamp(const struct time_base *base, int64_t ticks)
{
    int64_t step = base->step;

    if (step == 0 || base->rate <= 0)
        return 0;

    int64_t whole = ticks / step;
    int64_t rest = ticks % step;
    if (rest < 0) {
        rest += step;
        whole -= 1;
    }
    return rest * 2 >= step && whole < INT64_MAX ? whole + 1 : whole;
}
