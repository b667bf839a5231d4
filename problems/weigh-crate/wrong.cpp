static long weigh_from(const std::string &load, std::size_t &at)
{
    long total = 0, count = 1;
    for (; at < load.size() && load[at] != ')'; at++) {
        // Each digit takes the place of the one before it.
        if (std::isdigit(static_cast<unsigned char>(load[at]))) {
            count = load[at] - '0';
            continue;
        }
        long weight;
        if (load[at] == '(')
            weight = weigh_from(load, ++at);
        else
            weight = load[at] - 'a' + 1;
        total += count * weight;
        count = 1;
    }
    return total;
}

long weigh(const std::string &load)
{
    std::size_t at = 0;
    return weigh_from(load, at);
}
