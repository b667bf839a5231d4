#include <ctype.h>
#include <limits.h>

/* Value of a Content-Length field; -1 if it is not a plain number. */
long parse_content_length(const char *field)
{
    const char *p = field;
    long value = 0;

    while (*p == ' ' || *p == '\t')
        p++;
    if (!isdigit((unsigned char)*p))
        return -1;
    while (isdigit((unsigned char)*p)) {
        value = value * 10 + (*p - '0');
        p++;
    }
    while (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n')
        p++;
    return *p == '\0' ? value : -1;
}
