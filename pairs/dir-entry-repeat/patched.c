#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PATTERN 255
#define MAX_REPEAT 10000

/* A text a number of times in a row; NULL if it is too long. The caller frees it. */
char *repeat_pattern(const char *pattern, unsigned times)
{
    size_t length = strlen(pattern);
    char *result;

    if (length > MAX_PATTERN || times > MAX_REPEAT)
        return NULL;
    size_t total = length * times;
    result = malloc(total + 1u);
    if (result == NULL)
        return NULL;
    for (unsigned i = 0; i < times; i++)
        memcpy(result + i * length, pattern, length);
    result[total] = '\0';
    return result;
}
