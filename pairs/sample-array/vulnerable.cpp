#include <cstddef>
#include <cstdlib>

// The largest mean level of a window of samples; -1 if there is no whole window.
int peak_level(const short *samples, std::size_t count, std::size_t width)
{
    if (width == 0 || width > count || width > 4096)
        return -1;

    int *window = new int[width];
    long sum = 0;
    int peak = 0;

    for (std::size_t i = 0; i < count; i++) {
        int level = std::abs(static_cast<int>(samples[i]));

        if (i >= width)
            sum -= window[i % width];
        window[i % width] = level;
        sum += level;
        if (i + 1 >= width && sum / static_cast<long>(width) > peak)
            peak = static_cast<int>(sum / static_cast<long>(width));
    }
    delete window;
    return peak;
}
