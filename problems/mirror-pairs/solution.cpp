std::vector<std::pair<int, int>> mirror_pairs(const std::vector<int> &numbers)
{
    std::set<std::string> digits;
    for (int number : numbers)
        digits.insert(std::to_string(number));
    std::vector<std::pair<int, int>> pairs;
    for (const std::string &one : digits) {
        std::string other(one.rbegin(), one.rend());
        if (digits.count(other) && std::stoi(one) < std::stoi(other))
            pairs.push_back({std::stoi(one), std::stoi(other)});
    }
    return pairs;
}
