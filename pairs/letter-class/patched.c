#include <string.h>

enum { SEPARATOR = 0, LETTER = 1, DIGIT = 2 };

static unsigned char kinds[256];

static void fill_kinds(void)
{
    if (kinds['a'] == LETTER)
        return;
    for (int c = 'a'; c <= 'z'; c++)
        kinds[c] = LETTER;
    for (int c = 'A'; c <= 'Z'; c++)
        kinds[c] = LETTER;
    for (int c = '0'; c <= '9'; c++)
        kinds[c] = DIGIT;
    kinds['_'] = LETTER;
    memset(kinds + 128, LETTER, 128);
}

/* Number of identifiers in a text. */
int count_identifiers(const char *text)
{
    int count = 0;
    int before = SEPARATOR;

    fill_kinds();
    for (const char *p = text; *p != '\0'; p++) {
        int kind = kinds[(unsigned char)*p];

        if (kind == LETTER && before == SEPARATOR)
            count++;
        if (kind != DIGIT || before == SEPARATOR)
            before = kind;
    }
    return count;
}
