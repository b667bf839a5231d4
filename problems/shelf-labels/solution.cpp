std::vector<std::string> shelf_labels(const std::vector<std::string> &titles)
{
    std::set<std::string> taken;
    std::vector<std::string> labels;
    for (const std::string &title : titles) {
        std::string label = title;
        for (int number = 2; !taken.insert(label).second; number++)
            label = title + "-" + std::to_string(number);
        labels.push_back(label);
    }
    return labels;
}
