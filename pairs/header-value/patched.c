#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A hash of a header's value that does not regard case or blanks around it; 0 for no header. */
unsigned header_value_hash(const char *header)
{
    const char *colon = strchr(header, ':');
    unsigned hash = 17;
    char *value;
    size_t length;

    if (colon == NULL)
        return 0;
    length = strlen(colon + 1);
    value = malloc(length + 1);
    if (value == NULL)
        return 0;
    strcpy(value, colon + 1);
    while (length > 0 && isspace((unsigned char)value[length - 1]))
        value[--length] = '\0';
    char *start = value;
    while (isspace((unsigned char)*start))
        start++;
    for (char *p = start; *p != '\0'; p++)
        hash = hash * 31 + (unsigned)tolower((unsigned char)*p);
    free(value);
    return hash;
}
