#include <string.h>

/* Length of a file's name once it has a suffix; a name that ends with it keeps as it is. */
size_t with_suffix_length(const char *name, const char *suffix)
{
    size_t length = strlen(name);
    size_t extra = strlen(suffix);

    if (length == 0 || length > 255 || extra > 31)
        return 0;
    char path[length + extra + 1];
    strcpy(path, name);
    if (length < extra || strcmp(name + length - extra, suffix) != 0)
        strcat(path, suffix);
    return strlen(path);
}
