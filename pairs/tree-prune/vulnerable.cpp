struct Branch {
    int weight;
    Branch *left;
    Branch *right;
};

// Removes leaves that weigh less than a limit, from the bottom up; what they weighed together.
long prune_leaves(Branch **link, int limit)
{
    Branch *node = *link;
    long removed = 0;

    if (node == nullptr)
        return 0;
    removed += prune_leaves(&node->left, limit);
    removed += prune_leaves(&node->right, limit);
    if (node->left == nullptr && node->right == nullptr && node->weight < limit) {
        *link = nullptr;
        delete node;
        removed += node->weight;
    }
    return removed;
}
