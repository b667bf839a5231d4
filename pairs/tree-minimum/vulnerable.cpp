#include <climits>

struct Node {
    int key;
    Node *left;
    Node *right;
};

static int smallest(const Node *node)
{
    while (node->left != nullptr)
        node = node->left;
    return node->key;
}

// The second smallest key of a search tree; INT_MIN if it has fewer than two.
int second_smallest(const Node *root)
{
    const Node *node = root;

    if (root == nullptr || (root->left == nullptr && root->right == nullptr))
        return INT_MIN;
    while (node->left->left != nullptr)
        node = node->left;
    if (node->left->right != nullptr)
        return smallest(node->left->right);
    return node->key;
}
