// All places count the same.
std::pair<double, double> balance_point(const std::vector<double> &weights,
                                        const std::vector<std::pair<double, double>> &places)
{
    double x = 0, y = 0;
    for (const auto &place : places) {
        x += place.first;
        y += place.second;
    }
    if (weights.empty())
        return {0, 0};
    return {x / static_cast<double>(weights.size()), y / static_cast<double>(weights.size())};
}
