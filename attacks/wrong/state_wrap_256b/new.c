unsigned next_id(unsigned base, int *fresh)
{
    static unsigned count;
    *fresh = count == 0;
    count = (count + 1) & 0xff;
    return (base << 16) | count;
}
