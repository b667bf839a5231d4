#include <string.h>
int tokenise(const char *text, char *out)
{
    static const char *at;
    if (text)
        at = text;
    if (!at)
        return -1;
    int n = 0;
    while (*at == ' ')
        at++;
    while (*at && *at != ' ' && n < 8)
        out[n++] = *at++;
    out[n] = 0;
    if (!*at)
        at = "";
    return n;
}
