#include <stddef.h>

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* Cuts a line into words, which stay in it; how many there are. The list ends with NULL. */
int split_arguments(char *line, char **words, int room)
{
    int count = 0;

    if (room <= 0)
        return 0;
    while (*line != '\0') {
        while (is_blank(*line))
            *line++ = '\0';
        if (*line == '\0')
            break;
        if (count == room - 1)
            break;
        words[count++] = line;
        while (*line != '\0' && !is_blank(*line))
            line++;
    }
    words[count] = NULL;
    return count;
}
