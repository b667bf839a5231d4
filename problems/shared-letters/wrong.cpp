// Large letters are others than small ones.
std::set<char> shared_letters(const std::vector<std::string> &words)
{
    std::set<char> shared;
    for (char letter = 'a'; letter <= 'z'; letter++) {
        auto has = [&](const std::string &word) { return word.find(letter) != std::string::npos; };
        if (!words.empty() && std::all_of(words.begin(), words.end(), has))
            shared.insert(letter);
    }
    return shared;
}
