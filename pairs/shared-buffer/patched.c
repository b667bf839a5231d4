#include <stdlib.h>
#include <string.h>

struct byte_buffer {
    char *bytes;
    size_t used;
    size_t limit;
};

static void buffer_release(struct byte_buffer *buffer)
{
    free(buffer->bytes);
    buffer->bytes = NULL;
    buffer->used = 0;
}

static int buffer_append(struct byte_buffer *buffer, const char *bytes, size_t count)
{
    char *larger;

    if (count > buffer->limit - buffer->used) {
        buffer_release(buffer);
        return -1;
    }
    larger = realloc(buffer->bytes, buffer->used + count + 1);
    if (larger == NULL) {
        buffer_release(buffer);
        return -1;
    }
    memcpy(larger + buffer->used, bytes, count);
    buffer->bytes = larger;
    buffer->used += count;
    buffer->bytes[buffer->used] = '\0';
    return 0;
}

/* Length of a text's lines without their ends, put together; -1 where that passes a limit. */
long concat_lines(const char *text, size_t limit)
{
    struct byte_buffer buffer = {NULL, 0, limit};
    long length = -1;

    while (*text != '\0') {
        size_t line = strcspn(text, "\n");

        if (buffer_append(&buffer, text, line) != 0)
            goto out;
        text += line;
        if (*text == '\n')
            text++;
    }
    length = (long)buffer.used;

out:
    buffer_release(&buffer);
    return length;
}
