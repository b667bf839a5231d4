std::map<std::string, int> tally(const std::vector<std::string> &slips)
{
    std::map<std::string, int> votes;
    for (const std::string &slip : slips) {
        std::size_t colon = slip.find(':');
        std::string name = slip.substr(0, colon);
        std::string number = colon == std::string::npos ? "1" : slip.substr(colon + 1);
        if (name.empty() || number.empty() || number.find_first_not_of("0123456789") != std::string::npos)
            continue;
        votes[name] += std::stoi(number);
    }
    return votes;
}
