// Counts titles, and does not see that a label may be taken by a title that looks like it.
std::vector<std::string> shelf_labels(const std::vector<std::string> &titles)
{
    std::map<std::string, int> counts;
    std::vector<std::string> labels;
    for (const std::string &title : titles) {
        int count = ++counts[title];
        labels.push_back(count == 1 ? title : title + "-" + std::to_string(count));
    }
    return labels;
}
