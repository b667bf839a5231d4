#include <stdlib.h>
#include <string.h>

struct option_value {
    char name[32];
    long number;
    int is_set;
};

/* Reads "name=number"; 0, or a negative number on what is not an option. */
int parse_option(const char *text, struct option_value *option)
{
    const char *equals = strchr(text, '=');
    char *name = NULL;
    char *end = NULL;
    int status = -1;

    if (equals == NULL || equals == text || equals - text >= (long)sizeof option->name)
        return -1;
    name = malloc((size_t)(equals - text) + 1);
    if (name == NULL)
        return -2;
    memcpy(name, text, (size_t)(equals - text));
    name[equals - text] = '\0';

    option->number = strtol(equals + 1, &end, 10);
    if (end == equals + 1 || *end != '\0') {
        status = -3;
        free(name);
        goto done;
    }
    strcpy(option->name, name);
    option->is_set = 1;
    status = 0;

done:
    free(name);
    return status;
}
