std::pair<double, double> balance_point(const std::vector<double> &weights,
                                        const std::vector<std::pair<double, double>> &places)
{
    double total = 0, x = 0, y = 0;
    for (std::size_t i = 0; i < weights.size(); i++) {
        total += weights[i];
        x += weights[i] * places[i].first;
        y += weights[i] * places[i].second;
    }
    if (total == 0)
        return {0, 0};
    return {x / total, y / total};
}
