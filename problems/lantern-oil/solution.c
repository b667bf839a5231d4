#include <stddef.h>

long most_oil(const struct lantern *root)
{
    if (!root)
        return 0;
    if (!root->left)
        return root->oil + most_oil(root->right);
    if (!root->right)
        return root->oil + most_oil(root->left);
    long left = most_oil(root->left), right = most_oil(root->right);
    return root->oil + (left > right ? left : right);
}
