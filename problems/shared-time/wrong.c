/* Spans that only meet share an empty time, which is not told as that. */
struct span shared_time(struct span one, struct span other)
{
    struct span shared = {one.from > other.from ? one.from : other.from, one.to < other.to ? one.to : other.to};
    struct span none = {0, 0};
    return shared.from <= shared.to ? shared : none;
}
