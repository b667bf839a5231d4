#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Whether a name is the same as one in small letters, whatever its own case is; -1 where memory is short. */
int same_name(const char *name, const char *small)
{
    char local[16];
    char *folded = local;
    size_t length = strlen(name);
    int same;

    if (length + 1 > sizeof local) {
        folded = malloc(length + 1);
        if (folded == NULL)
            return -1;
    }
    for (size_t i = 0; i <= length; i++)
        folded[i] = (char)tolower((unsigned char)name[i]);
    same = strcmp(folded, small) == 0;
    if (folded != local)
        free(folded);
    return same;
}
