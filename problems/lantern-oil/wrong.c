#include <stddef.h>

/* A chain may end where there is a lantern below. */
long most_oil(const struct lantern *root)
{
    if (!root)
        return 0;
    long left = most_oil(root->left), right = most_oil(root->right);
    return root->oil + (left > right ? left : right);
}
