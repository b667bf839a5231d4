int steps_to_one(unsigned n)
{
    unsigned long long v = n;
    int steps = 0;
    while (v > 1 && steps < 2000) {
        v = v & 1 ? v * 3 + 1 : v / 2;
        steps++;
    }
    return steps;
}
