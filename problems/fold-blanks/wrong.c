#include <stddef.h>

/* A blank at the end stays. */
size_t fold_blanks(char *text)
{
    size_t to = 0;
    for (size_t from = 0; text[from]; from++) {
        if (text[from] == ' ' || text[from] == '\t') {
            if (to > 0 && text[to - 1] != ' ')
                text[to++] = ' ';
        } else {
            text[to++] = text[from];
        }
    }
    text[to] = 0;
    return to;
}
