#include <stdint.h>
#include <stdlib.h>

struct row {
    uint32_t key;
    uint32_t used;
    double value;
};

struct table {
    uint32_t count;
    uint32_t reserved;
    struct row *rows;
};

static void *checked_alloc(uint32_t bytes)
{
    void *made = malloc(bytes ? bytes : 1);

    return made;
}

static void clear_rows(struct table *table, uint32_t count)
{
    for (uint32_t index = 0; index < count; index++) {
        table->rows[index].used = 0;
        table->rows[index].key = index;
    }
}

/* A table of unused rows with some more in reserve, or NULL. */
struct table *table_create(uint32_t count, uint32_t reserved)
{
    struct table *table;

    if (reserved > count)
        return NULL;
    table = malloc(sizeof *table);
    if (table == NULL)
        return NULL;
    table->count = count;
    table->reserved = reserved;
    table->rows = checked_alloc(count * (uint32_t)sizeof(struct row));
    if (table->rows == NULL) {
        free(table);
        return NULL;
    }
    clear_rows(table, count);
    return table;
}
