// Never gets tired.
std::uint64_t climbs(unsigned steps, unsigned longest)
{
    std::vector<std::uint64_t> ways(steps + 1);
    ways[0] = 1;
    for (unsigned at = 1; at <= steps; at++)
        for (unsigned stride = 1; stride <= longest && stride <= at; stride++)
            ways[at] += ways[at - stride];
    return ways[steps];
}
