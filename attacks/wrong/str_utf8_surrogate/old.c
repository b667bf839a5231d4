int utf8_ok(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    if ((s[0] & 0xf0) != 0xe0 || (s[1] & 0xc0) != 0x80 || (s[2] & 0xc0) != 0x80)
        return 0;
    unsigned c = (s[0] & 15u) << 12 | (s[1] & 63u) << 6 | (s[2] & 63u);
    return c >= 0x800 && (c < 0xd800 || c > 0xdfff) ? 3 : 0;
}
