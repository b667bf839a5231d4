#include <stdlib.h>
#include <string.h>

static const char *entity_of(char c)
{
    switch (c) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    default: return NULL;
    }
}

static char *append_entity(char *out, const char *entity)
{
    while (*entity)
        *out++ = *entity++;
    return out;
}

/* A copy of a text that is safe inside of an attribute; the caller frees it. */
char *html_escape(const char *text)
{
    size_t length = strlen(text);
    char *result = malloc(length * 5 + 1);
    char *out = result;

    if (result == NULL)
        return NULL;
    for (; *text; text++) {
        const char *entity = entity_of(*text);

        if (entity)
            out = append_entity(out, entity);
        else
            *out++ = *text;
    }
    *out = '\0';
    return result;
}
