#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A size such as "10", "10k" or "10MB" in bytes; -1 if it is none. */
long scale_size(const char *text)
{
    const char *suffix = "";
    char *end;
    long size = strtol(text, &end, 10);

    if (end == text || size < 0 || size > 1 << 20)
        return -1;
    if (*end != '\0') {
        char folded[8];
        size_t length = strlen(end);

        if (length >= sizeof folded)
            return -1;
        for (size_t i = 0; i <= length; i++)
            folded[i] = (char)tolower((unsigned char)end[i]);
        suffix = folded;
    }
    for (const char *p = suffix; *p != '\0'; p++) {
        if (*p == 'k')
            size *= 1024;
        else if (*p == 'm')
            size *= 1024 * 1024;
        else if (*p != 'b')
            return -1;
    }
    return size;
}
