std::vector<std::vector<int>> spread_dye(std::vector<std::vector<int>> cloth, int days)
{
    std::vector<std::pair<std::size_t, std::size_t>> edge;
    for (std::size_t i = 0; i < cloth.size(); i++)
        for (std::size_t j = 0; j < cloth[i].size(); j++)
            if (cloth[i][j] == 1)
                edge.push_back({i, j});
    for (int day = 0; day < days && !edge.empty(); day++) {
        std::vector<std::pair<std::size_t, std::size_t>> next;
        auto reach = [&](std::size_t i, std::size_t j) {
            // Before the first is past the last.
            if (i < cloth.size() && j < cloth[i].size() && cloth[i][j] == 0) {
                cloth[i][j] = 1;
                next.push_back({i, j});
            }
        };
        for (auto [i, j] : edge) {
            reach(i - 1, j);
            reach(i + 1, j);
            reach(i, j - 1);
            reach(i, j + 1);
        }
        edge.swap(next);
    }
    return cloth;
}
