struct bead {
    int colour;
    struct bead *next;
};
