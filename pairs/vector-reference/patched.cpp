#include <vector>

struct Rule {
    int key;
    int weight;
};

// Fills a rule set up with rules that share the weight of its first one; the weight of all, or -1 for an empty set.
long add_defaults(std::vector<Rule> &rules, int missing)
{
    if (rules.empty() || missing < 0 || missing > 64)
        return -1;

    const Rule first = rules.front();
    long total = 0;

    for (const Rule &rule : rules)
        total += rule.weight;
    for (int i = 0; i < missing; i++) {
        Rule added = {1000 + i, 0};
        rules.push_back(added);
        total += first.weight;
    }
    return total;
}
