void turn_ring(std::vector<int> &ring, long steps)
{
    if (ring.empty())
        return;
    long size = static_cast<long>(ring.size());
    long places = (steps % size + size) % size;
    std::rotate(ring.begin(), ring.end() - places, ring.end());
}
