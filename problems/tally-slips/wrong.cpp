// Takes what begins with digits for a number.
std::map<std::string, int> tally(const std::vector<std::string> &slips)
{
    std::map<std::string, int> votes;
    for (const std::string &slip : slips) {
        std::size_t colon = slip.find(':');
        std::string name = slip.substr(0, colon);
        if (name.empty())
            continue;
        votes[name] += colon == std::string::npos ? 1 : std::atoi(slip.c_str() + colon + 1);
    }
    return votes;
}
