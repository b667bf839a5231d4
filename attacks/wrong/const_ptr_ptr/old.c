static const char *const c_words[] = { "if", "else", "while", 0 };
static const char *const py_words[] = { "if", "elif", "while", 0 };
const char *const *keywords_of(int lang, int *n)
{
    *n = 3;
    if (lang == 1)
        return c_words;
    if (lang == 2)
        return py_words;
    *n = 0;
    return 0;
}
