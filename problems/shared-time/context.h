struct span {
    long from;
    long to;
};
