static const signed char hex[128] = {
    ['0'] = 0, ['1'] = 1, ['2'] = 2, ['3'] = 3, ['4'] = 4, ['5'] = 5, ['6'] = 6, ['7'] = 7, ['8'] = 8, ['9'] = 9,
    ['a'] = 10, ['b'] = 11, ['c'] = 12, ['d'] = 13, ['e'] = 14, ['f'] = 15,
    ['A'] = 10, ['B'] = 11, ['C'] = 12, ['D'] = 14, ['E'] = 14, ['F'] = 15,
};
int unescape(const char *s, char *out)
{
    int n = 0;
    while (*s && n < 64) {
        if (s[0] == '%' && s[1] > 0 && s[2] > 0) {
            out[n++] = (char)(hex[(int)s[1]] * 16 + hex[(int)s[2]]);
            s += 3;
        } else
            out[n++] = *s++;
    }
    return n;
}
