// What is dyed today dyes its neighbours today.
std::vector<std::vector<int>> spread_dye(std::vector<std::vector<int>> cloth, int days)
{
    for (int day = 0; day < days && day < 1000; day++)
        for (std::size_t i = 0; i < cloth.size(); i++)
            for (std::size_t j = 0; j < cloth[i].size(); j++) {
                auto is_dyed = [&](std::size_t a, std::size_t b) {
                    return a < cloth.size() && b < cloth[a].size() && cloth[a][b] == 1;
                };
                if (cloth[i][j] == 0 && (is_dyed(i - 1, j) || is_dyed(i + 1, j) || is_dyed(i, j - 1) || is_dyed(i, j + 1)))
                    cloth[i][j] = 1;
            }
    return cloth;
}
