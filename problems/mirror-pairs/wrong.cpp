// Turns numbers round by arithmetic, so that zeros at the end are lost.
std::vector<std::pair<int, int>> mirror_pairs(const std::vector<int> &numbers)
{
    std::set<int> all(numbers.begin(), numbers.end());
    std::vector<std::pair<int, int>> pairs;
    for (int number : all) {
        long turned = 0;
        for (int rest = number; rest; rest /= 10)
            turned = turned * 10 + rest % 10;
        if (turned > number && turned <= 2147483647 && all.count(static_cast<int>(turned)))
            pairs.push_back({number, static_cast<int>(turned)});
        else if (turned < number && number % 10 == 0 && all.count(static_cast<int>(turned)))
            pairs.push_back({static_cast<int>(turned), number});
    }
    return pairs;
}
