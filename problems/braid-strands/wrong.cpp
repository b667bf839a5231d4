// Ends with the shorter strand.
std::string braid(const std::string &left, const std::string &right, std::size_t width)
{
    std::string one;
    for (std::size_t at = 0; at < left.size() && at < right.size(); at += width)
        one += left.substr(at, width) + right.substr(at, width);
    return one;
}
