/* What a function leaves behind that nothing leads to any more: memory that it has taken and not given back. Every word
 * that may be an address counts as one. */
#include <link.h>

extern char __data_start[];

static void reach(const char *from, const char *to) {
    for (const char *at = (const char *)(((word)from + 7) & ~(word)7); at + sizeof(word) <= to; at += sizeof(word)) {
        word value;
        copy(&value, at, sizeof value);
        struct region *region = value > 4096 ? region_at((void *)value) : NULL;
        if (!region || region->is_reached) continue;
        region->is_reached = 1;
        if (region->is_live) reach(region->base, region->base + region->size);
    }
}

/* The variables of the thread. */
static int reach_own_variables(struct dl_phdr_info *program, size_t size, void *nothing) {
    (void)size, (void)nothing;
    for (int index = 0; index < program->dlpi_phnum; index++)
        if (program->dlpi_phdr[index].p_type == PT_TLS && program->dlpi_tls_data)
            reach(program->dlpi_tls_data, (char *)program->dlpi_tls_data + program->dlpi_phdr[index].p_memsz);
    return 1;
}

/* Marks all that something leads to. */
static void reach_all(const char *result) {
    extern char **environ;
    reach(__data_start, end);
    reach((const char *)H->arguments, (const char *)H->arguments + sizeof H->arguments);
    reach(result, result + MOST_ARGUMENT);
    for (char **each = environ; each && *each; each++) reach((const char *)each, (const char *)(each + 1));
    dl_iterate_phdr(reach_own_variables, NULL);
    for (unsigned index = 0; index < H->region_count; index++)
        if (H->regions[index].is_ours && H->regions[index].is_live)
            reach(H->regions[index].base, H->regions[index].base + H->regions[index].size);
}

/* A block that was left behind, the first one that was taken. */
static const struct region *left_behind(const char *result) {
    reach_all(result);
    for (unsigned index = 0; index < H->region_count; index++) {
        const struct region *region = &H->regions[index];
        if (region->taken_at[0] && region->is_live && !region->is_reached) return region;
    }
    return NULL;
}

static int may_be_lost(const struct region *region) {
    return !region->is_ours && region->is_live && !region->is_found && !region->is_seen && !region->is_storage && !is_in_image(region->base);
}

/* In C++, how many blocks the function left behind. Of C all that it has not given back is told. */
static void see_lost(const char *result) {
    word lost = 0;
    for (unsigned index = 0; index < H->region_count; index++) lost += may_be_lost(&H->regions[index]);
    if (!H->makers || !lost || H->is_blind) return;
    reach_all(result);
    lost = 0;
    for (unsigned index = 0; index < H->region_count; index++) lost += may_be_lost(&H->regions[index]) && !H->regions[index].is_reached;
    note_line("lost", 0);
    note("blocks", lost);
}
