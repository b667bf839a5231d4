#include <ctype.h>
#include <string.h>

enum directive { NOT_ONE, DEFINE, INCLUDE, CONDITION, OTHER };

/* Which directive of the preprocessor a line is. */
enum directive read_directive(const char *line)
{
    char name[16];
    char *out = name;

    while (*line == ' ' || *line == '\t')
        line++;
    if (*line++ != '#')
        return NOT_ONE;
    while (*line == ' ' || *line == '\t')
        line++;
    while (isalpha((unsigned char)*line) && out < name + sizeof name - 1)
        *out++ = *line++;
    *out = '\0';

    if (strcmp(name, "define") == 0 || strcmp(name, "undef") == 0)
        return DEFINE;
    if (strcmp(name, "include") == 0)
        return INCLUDE;
    if (strcmp(name, "if") == 0 || strcmp(name, "ifdef") == 0 || strcmp(name, "ifndef") == 0)
        return CONDITION;
    return OTHER;
}
