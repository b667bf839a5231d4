int match_comment(const char *s)
{
    enum { OUT, SLASH, IN, STAR, STAR2 } st = OUT;
    int n = 0;
    for (; *s; s++)
        switch (st) {
        case OUT: st = *s == '/' ? SLASH : OUT; break;
        case SLASH: st = *s == '*' ? IN : *s == '/' ? SLASH : OUT; break;
        case IN: st = *s == '*' ? STAR : IN; break;
        case STAR: if (*s == '/') { n++; st = OUT; } else st = *s == '*' ? STAR2 : IN; break;
        case STAR2: if (*s == '/') { n++; st = OUT; } else st = *s == '*' ? STAR2 - 2 : IN; break;
        }
    return st == OUT ? n : -1;
}
