struct lantern {
    int oil;
    struct lantern *left;
    struct lantern *right;
};
