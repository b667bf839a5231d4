std::string longest_word(const std::vector<std::string> &words)
{
    std::string longest;
    for (const std::string &word : words)
        if (word.size() > longest.size())
            longest = word;
    return longest;
}
