static const char *group(const char *s, int depth)
{
    (void)depth;
    while (*s) {
        if (*s == '(') {
            s = group(s + 1, depth + 1);
            if (!s)
                return 0;
        } else if (*s == ')')
            return depth > 0 ? s + 1 : 0;
        else
            s++;
    }
    return depth == 0 ? s : 0;
}
int nest(const char *s)
{
    return group(s, 0) != 0;
}
