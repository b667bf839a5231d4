std::string braid(const std::string &left, const std::string &right, std::size_t width)
{
    std::string one;
    for (std::size_t at = 0; at < left.size() || at < right.size();) {
        if (at < left.size())
            one += left.substr(at, width);
        if (at < right.size())
            one += right.substr(at, width);
        if (width >= left.size() && width >= right.size())
            break;
        at += width;
    }
    return one;
}
