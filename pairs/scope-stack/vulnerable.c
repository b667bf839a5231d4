#include <stdlib.h>

struct scope {
    int bindings;
    int depth;
};

/* How many names are bound at the deepest level of a text of letters and braces; -1 where braces do not match. */
int count_bindings(const char *text)
{
    size_t room = 2, used = 1;
    struct scope *scopes = calloc(room, sizeof *scopes);
    struct scope *scope = scopes;
    int deepest = 0;

    if (scopes == NULL)
        return -1;
    for (; *text != '\0'; text++) {
        if (*text == '{') {
            if (used == room) {
                struct scope *larger = realloc(scopes, room * 2 * sizeof *scopes);
                if (larger == NULL)
                    break;
                scopes = larger;
                room *= 2;
                scope->bindings++;
                scope = &scopes[used - 1];
            }
            scopes[used].bindings = 0;
            scopes[used].depth = scope->depth + 1;
            scope = &scopes[used++];
        } else if (*text == '}') {
            if (used == 1) {
                free(scopes);
                return -1;
            }
            used--;
            scope--;
        } else {
            scope->bindings += 1;
        }
        if (scope->bindings > deepest)
            deepest = scope->bindings;
    }
    free(scopes);
    return deepest;
}
