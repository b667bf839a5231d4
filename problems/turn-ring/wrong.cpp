// What is left of a negative number is negative.
void turn_ring(std::vector<int> &ring, long steps)
{
    if (ring.empty())
        return;
    std::size_t places = static_cast<std::size_t>(steps < 0 ? -(steps + 1) + 1UL : steps) % ring.size();
    std::rotate(ring.begin(), ring.end() - static_cast<long>(places), ring.end());
}
