int debounce(int raw)
{
    static int last, same, out;
    raw = raw != 0;
    if (raw == last) {
        if (same < 3)
            same++;
        else
            out = raw;
    } else {
        last = raw;
        same = 0;
    }
    return out;
}
