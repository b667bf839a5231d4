#include <string.h>
int accept_name(const char *s)
{
    size_t n = strlen(s);
    if (n > 70000)
        return 0;
    if (n == 0 || s[0] == ' ')
        return 0;
    for (size_t i = 0; i < n; i++)
        if (s[i] < ' ')
            return 0;
    return 1;
}
