std::optional<int> first_gap(const std::vector<int> &taken)
{
    std::vector<int> seats = taken;
    std::sort(seats.begin(), seats.end());
    for (std::size_t i = 1; i < seats.size(); i++)
        if (seats[i] != seats[i - 1] && seats[i] != seats[i - 1] + 1)
            return seats[i - 1] + 1;
    return std::nullopt;
}
