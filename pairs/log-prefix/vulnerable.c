#include <string.h>

/* A hash of a log line with its prefix, by which repeated lines are found; 0 for no usable module. */
unsigned long log_line_hash(const char *module, const char *message)
{
    char line[48];
    unsigned long hash = 5381;

    if (module == NULL || strlen(module) > 16)
        return 0;
    strcpy(line, "[");
    strcat(line, module);
    strcat(line, "] ");
    strncat(line, message, sizeof line);
    for (const char *p = line; *p != '\0'; p++)
        hash = hash * 33 + (unsigned char)*p;
    return hash & 0xffffffff;
}
