// Finds the cheapest way first, and uses the voucher on its dearest road.
long cheapest(int towns, const std::vector<std::vector<int>> &roads, int from, int to)
{
    const long far = 1L << 60;
    std::vector<long> sum(static_cast<std::size_t>(towns), far), dearest(static_cast<std::size_t>(towns), 0);
    sum[static_cast<std::size_t>(from)] = 0;
    for (int round = 0; round < towns; round++)
        for (const auto &road : roads)
            for (int way = 0; way < 2; way++) {
                auto a = static_cast<std::size_t>(road[static_cast<std::size_t>(way)]);
                auto b = static_cast<std::size_t>(road[static_cast<std::size_t>(1 - way)]);
                if (sum[a] < far && sum[a] + road[2] < sum[b]) {
                    sum[b] = sum[a] + road[2];
                    dearest[b] = std::max(dearest[a], static_cast<long>(road[2]));
                }
            }
    auto end = static_cast<std::size_t>(to);
    return sum[end] < far ? sum[end] - dearest[end] : -1;
}
