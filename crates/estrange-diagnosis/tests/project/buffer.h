/* Text that grows. */
#ifndef BUFFER_H
#define BUFFER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BUFFER_LIMIT 4096
#define BUFFER_AT(buffer, index) ((buffer)->data[index])

typedef struct buffer {
    char *data;
    size_t length;
    size_t capacity;
} buffer_t;

typedef int (*buffer_visitor)(char letter, void *context);

buffer_t *buffer_new(size_t capacity);
void buffer_free(buffer_t *buffer);
int buffer_append(buffer_t *buffer, const char *text, size_t length);
int buffer_each(const buffer_t *buffer, buffer_visitor visit, void *context);

#ifdef __cplusplus
}
#endif

#endif
