int balanced(const char *s)
{
    unsigned char depth = 0;
    for (; *s; s++) {
        if (*s == '(')
            depth++;
        else if (*s == ')') {
            if (depth == 0)
                return 0;
            depth--;
        }
    }
    return depth == 0;
}
