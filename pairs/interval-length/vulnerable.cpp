#include <algorithm>
#include <vector>

struct Interval {
    int low;
    int high;

    int length() const { return high - low; }
};

static bool begins_before(const Interval &a, const Interval &b)
{
    return a.low < b.low;
}

// How much of the line intervals cover together; they are put in order.
long long covered_length(std::vector<Interval> &intervals)
{
    long long covered = 0;
    bool has_open = false;
    Interval open = {0, 0};

    std::sort(intervals.begin(), intervals.end(), begins_before);
    for (const Interval &next : intervals) {
        if (next.high <= next.low)
            continue;
        if (has_open && next.low <= open.high) {
            open.high = std::max(open.high, next.high);
            continue;
        }
        if (has_open)
            covered += open.length();
        open = next;
        has_open = true;
    }
    if (has_open)
        covered += open.length();
    return covered;
}
