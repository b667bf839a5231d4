#include <stddef.h>
#include <string.h>

struct keyword {
    const char *text;
    int token;
};

static const struct keyword keywords[] = {
    {"do", 257}, {"else", 258}, {"for", 259}, {"if", 260}, {"return", 261}, {"while", 262},
};

#define KEYWORDS (sizeof keywords / sizeof *keywords)

/* The token of a word; 0 if it is no keyword. */
int keyword_token(const char *word, size_t length)
{
    const struct keyword *keyword = keywords;

    if (length < 2)
        return 0;
    for (size_t i = 0; i <= KEYWORDS; i++, keyword++) {
        if (strlen(keyword->text) == length && memcmp(keyword->text, word, length) == 0)
            return keyword->token;
    }
    return 0;
}
