std::uint64_t climbs(unsigned steps, unsigned longest)
{
    // By how many steps have been taken: fresh, and tired.
    std::vector<std::uint64_t> fresh(steps + 1), tired(steps + 1);
    fresh[0] = 1;
    // The ways to the places from which a shorter stride leads here.
    std::uint64_t window = 0;
    for (unsigned at = 1; at <= steps; at++) {
        if (longest > 1) {
            window += fresh[at - 1] + tired[at - 1];
            if (at >= longest)
                window -= fresh[at - longest] + tired[at - longest];
        }
        fresh[at] = window;
        tired[at] = longest > 0 && at >= longest ? fresh[at - longest] : 0;
    }
    return fresh[steps] + tired[steps];
}
