#include <stdio.h>
#include <string.h>

/* What a command does to a counter that starts at 100; -1 for an unknown command. */
int dispatch_command(const char *line)
{
    char word[12];
    int amount = 1;
    int fields;

    fields = sscanf(line, "%11s %d", word, &amount);
    if (fields < 1 || amount < 0 || amount > 100)
        return -1;
    if (strcmp(word, "add") == 0)
        return 100 + amount;
    if (strcmp(word, "sub") == 0)
        return 100 - amount;
    if (strcmp(word, "reset") == 0)
        return 100;
    return -1;
}
