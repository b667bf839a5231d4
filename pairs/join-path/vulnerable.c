#include <stdlib.h>
#include <string.h>

/* Folder and name as one path; an absolute name stands for itself. The caller frees it. */
char *join_path(const char *folder, const char *name)
{
    size_t used = strlen(folder);
    size_t length = strlen(name);
    int needs_slash = used > 0 && folder[used - 1] != '/';
    char *path;

    if (name[0] == '/') {
        path = malloc(length + 1);
        if (path)
            memcpy(path, name, length + 1);
        return path;
    }

    path = malloc(used + length + 1);
    if (path == NULL)
        return NULL;
    memcpy(path, folder, used);
    if (needs_slash)
        path[used++] = '/';
    strcpy(path + used, name);
    return path;
}
