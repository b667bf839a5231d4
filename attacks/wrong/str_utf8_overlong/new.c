static const unsigned least[5] = { 0, 0, 0x80, 0x800, 0x8000 };
int utf8_cp(const unsigned char *s, unsigned n, unsigned *out)
{
    unsigned c, len;
    if (n == 0)
        return 0;
    if (s[0] < 0x80) { *out = s[0]; return 1; }
    if (s[0] >= 0xf0 && s[0] < 0xf5) { len = 4; c = s[0] & 7; }
    else if (s[0] >= 0xe0 && s[0] < 0xf0) { len = 3; c = s[0] & 15; }
    else if (s[0] >= 0xc0 && s[0] < 0xe0) { len = 2; c = s[0] & 31; }
    else return -1;
    if (n < len)
        return -1;
    for (unsigned i = 1; i < len; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return -1;
        c = c << 6 | (s[i] & 63);
    }
    if (c < least[len])
        return -1;
    *out = c;
    return (int)len;
}
