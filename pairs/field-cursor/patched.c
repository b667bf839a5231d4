#include <stddef.h>
#include <string.h>

#define FIELD_ROOM 24

struct field {
    const char *text;
    size_t length;
};

static int find_field(const char *line, int number, struct field *field, char copy[FIELD_ROOM])
{

    while (number-- > 0) {
        line = strchr(line, ':');
        if (line == NULL)
            return -1;
        line++;
    }
    field->length = strcspn(line, ":\n");
    if (field->length >= FIELD_ROOM)
        return -1;
    memcpy(copy, line, field->length);
    copy[field->length] = '\0';
    field->text = copy;
    return 0;
}

/* The third field of a line as a number; -1 if there is none. */
long third_field_value(const char *line)
{
    struct field field;
    long value = 0;
    char copy[FIELD_ROOM];

    if (find_field(line, 2, &field, copy) != 0 || field.length > 9)
        return -1;
    while (*field.text >= '0' && *field.text <= '9')
        value = value * 10 + (*field.text++ - '0');
    return value;
}
