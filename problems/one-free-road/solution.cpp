long cheapest(int towns, const std::vector<std::vector<int>> &roads, int from, int to)
{
    std::vector<std::vector<std::pair<int, long>>> around(static_cast<std::size_t>(towns));
    for (const auto &road : roads) {
        around[static_cast<std::size_t>(road[0])].push_back({road[1], road[2]});
        around[static_cast<std::size_t>(road[1])].push_back({road[0], road[2]});
    }
    // A state is a town and whether the voucher is spent.
    using State = std::tuple<long, int, bool>;
    std::map<std::pair<int, bool>, long> paid;
    std::priority_queue<State, std::vector<State>, std::greater<State>> next;
    next.push({0, from, false});
    while (!next.empty()) {
        auto [sum, town, is_spent] = next.top();
        next.pop();
        if (!paid.emplace(std::make_pair(town, is_spent), sum).second)
            continue;
        if (town == to)
            return sum;
        for (auto [other, toll] : around[static_cast<std::size_t>(town)]) {
            next.push({sum + toll, other, is_spent});
            if (!is_spent)
                next.push({sum, other, true});
        }
    }
    return -1;
}
