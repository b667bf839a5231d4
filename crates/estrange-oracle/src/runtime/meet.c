/* Where what is handed in meets: a pointer leads into another thing that was handed in, or into a variable outside of
 * functions. Code that reads what it points to once, and not again after a write elsewhere, sees the difference. */

enum { MEETING = 610, MOST_POINTERS = 32 };

/* A pointer, where it stands. */
struct pointer {
    char *at;
    word to;
};

static unsigned add_pointer(struct pointer *all, unsigned count, word number, char *at) {
    const struct type *type = type_of(number);
    if (type->kind != POINTER || count == MOST_POINTERS) return count;
    const struct type *to = type_of(type->a);
    if ((to->kind != INTEGER && to->kind != FLOATING) || !to->size) return count;
    all[count] = (struct pointer){at, type->a};
    return count + 1;
}

/* The pointers to numbers that are handed in, and those in what is. */
static unsigned pointers_to_numbers(struct pointer *all) {
    unsigned count = 0;
    for (word index = 0; index < plan()->parameters; index++)
        count = add_pointer(all, count, H->plan[plan()->parameters_at + index], H->arguments[index]);
    for (unsigned index = 0; index < H->region_count; index++) {
        const struct region *region = &H->regions[index];
        const struct type *type = region->is_ours && region->type >= 0 ? type_of((word)region->type) : NULL;
        if (!type || type->kind != RECORD || type->c || type->made || region->size < type->size) continue;
        const struct field *fields = (const struct field *)(H->plan + type->a);
        for (word field = 0; field < type->b; field++)
            if (fields[field].is_used && !fields[field].bits) count = add_pointer(all, count, fields[field].type, region->base + fields[field].bit / 8);
    }
    return count;
}

/* A place of a type within a value of another; NULL, if there is none. */
static char *place_within(word number, char *at, const struct type *wanted, word random) {
    const struct type *type = type_of(number);
    if (type->kind == wanted->kind && type->size == wanted->size) return at;
    if (type->kind == ARRAY && type->b) {
        word index = random % (type->b < 8 ? type->b : 8);
        return place_within(type->a, at + index * type_of(type->a)->size, wanted, mixed(random, 1));
    }
    if (type->kind != RECORD || type->c || type->made) return NULL;
    const struct field *fields = (const struct field *)(H->plan + type->a);
    for (word index = 0; index < type->b; index++) {
        const struct field *field = &fields[(index + random) % type->b];
        char *place = field->is_used && !field->bits ? place_within(field->type, at + field->bit / 8, wanted, mixed(random, index)) : NULL;
        if (place) return place;
    }
    return NULL;
}

static void let_meet(void) {
    struct pointer all[MOST_POINTERS];
    if (one_of(MEETING, 6)) return;
    unsigned count = pointers_to_numbers(all);
    if (!count) return;
    const struct pointer *pointer = &all[one_of(MEETING + 1, count)];
    const struct type *wanted = type_of(pointer->to);
    char *now;
    copy(&now, pointer->at, sizeof now);
    const struct region *own = now ? region_at(now) : NULL;
    word random = one_of(MEETING + 2, 1 << 20);
    for (unsigned index = 0; index < H->region_count; index++) {
        const struct region *region = &H->regions[(index + random) % H->region_count];
        if (!region->is_ours || region == own || region->type < 0 || !region->size) continue;
        int is_byte = wanted->kind == INTEGER && wanted->size == 1;
        const struct type *type = type_of((word)region->type);
        if (!is_byte && (!type->size || region->size < type->size)) continue;
        /* Its beginning, with all of it behind, or any byte of it. */
        char *place = is_byte ? region->base + (random & 1 ? 0 : random / 16 % region->size) : place_within((word)region->type, region->base, wanted, random / 16);
        if (!place) continue;
        copy(pointer->at, &place, sizeof place);
        return;
    }
}
