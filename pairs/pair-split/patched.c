#include <string.h>

/* Number of assignments with a value in a list such as "a=1;b=2"; the list is cut into its parts. */
int count_settings(char *list)
{
    int count = 0;

    while (*list != '\0') {
        size_t length = strcspn(list, ";");
        char *next = list + length;
        char *equals;

        if (*next == ';')
            *next++ = '\0';
        equals = strchr(list, '=');
        if (equals == NULL) {
            list = next;
            continue;
        }
        *equals = '\0';
        if (equals > list && equals[1] != '\0')
            count++;
        list = next;
    }
    return count;
}
