static long weigh_from(const std::string &load, std::size_t &at)
{
    long total = 0;
    while (at < load.size() && load[at] != ')') {
        long count = 1;
        if (std::isdigit(static_cast<unsigned char>(load[at])))
            for (count = 0; std::isdigit(static_cast<unsigned char>(load[at])); at++)
                count = count * 10 + (load[at] - '0');
        long weight;
        if (load[at++] == '(') {
            weight = weigh_from(load, at);
            at++;
        } else {
            weight = load[at - 1] - 'a' + 1;
        }
        total += count * weight;
    }
    return total;
}

long weigh(const std::string &load)
{
    std::size_t at = 0;
    return weigh_from(load, at);
}
