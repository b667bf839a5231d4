#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char title[16];
    int *amounts;
    int count;
};

struct entry *entry_new(const char *title, int count) {
    struct entry *entry = malloc(sizeof *entry);
    entry->amounts = malloc(count * sizeof *entry->amounts);
    if (!entry->amounts)
        return NULL;
    strcpy(entry->title, title);
    entry->count = count;
    return entry;
}

int entry_close(struct entry *entry) {
    int total;
    for (int i = 0; i < entry->count; i++)
        total += entry->amounts[i];
    free(entry->amounts);
    free(entry);
    printf("%s\n", entry->title);
    return total;
}

int entry_share(int total) {
    int parts[3] = {0, 1, 2};
    if (total == 0)
        return parts[2] / total;
    return total / parts[3];
}
