#include <stddef.h>
#include <string.h>

struct symbol {
    const struct symbol *next;
    const char *name;
    const char *alias_of;
    long address;
};

static const struct symbol *find_symbol(const struct symbol *table, const char *name)
{
    for (; table != NULL; table = table->next) {
        if (strcmp(table->name, name) == 0)
            return table;
    }
    return NULL;
}

/* The address of a symbol, through at most eight aliases; 0 if it cannot be found. */
long resolve_alias(const struct symbol *table, const char *name)
{
    const struct symbol *symbol = find_symbol(table, name);
    int hops = 0;

    while (symbol != NULL && symbol->alias_of != NULL && hops++ < 8)
        symbol = find_symbol(table, symbol->alias_of);
    return symbol != NULL ? symbol->address : 0;
}
