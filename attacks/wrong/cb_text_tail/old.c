int send_text(char *s, int n, int (*sink)(const char *))
{
    if (n < 70)
        return -1;
    char keep = s[66];
    s[66] = '#';
    int r = sink(s);
    s[66] = keep;
    return r;
}
