std::set<char> shared_letters(const std::vector<std::string> &words)
{
    std::set<char> shared;
    for (char letter = 'a'; letter <= 'z'; letter++) {
        const char both[] = {letter, static_cast<char>(letter - 'a' + 'A'), 0};
        auto has = [&](const std::string &word) { return word.find_first_of(both) != std::string::npos; };
        if (!words.empty() && std::all_of(words.begin(), words.end(), has))
            shared.insert(letter);
    }
    return shared;
}
