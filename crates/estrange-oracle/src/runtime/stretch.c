/* What is long: in a few inputs of a function, all that has a length has one at which a narrower type for it would overflow,
 * and lists have many nodes. Such an input says so by one choice, and follows from its seed in all else. */

enum { MOST_OBJECTS = 48, DEEPEST = 6, MOST_IN_USE = 16 << 20 };

/* The choice that says how long; how many things of an input are so; and nodes of lists. */
enum { STRETCH = 940, MOST_STRETCHED = 4, LARGE = 1000, NODES = 40, MANY_NODES = 300, LARGEST_STRETCHED = 1 << 20 };

static void begin_stretch(void) {
    word how, length = chosen(STRETCH, &how);
    H->stretch = how == 1 ? length : 0;
    H->stretched = H->chains = 0;
}

/* How many of something of a size there are instead; none, if this is not stretched. */
static word stretched(word size) {
    if (!H->stretch || H->stretched >= MOST_STRETCHED || !size) return 0;
    H->stretched++;
    return H->stretch * size > LARGEST_STRETCHED ? LARGEST_STRETCHED / size : H->stretch;
}

/* Repeats the first elements until all are there. */
static void repeat(char *at, word size, word first, word count) {
    if (first == 0) fill(at, 'a', size), first = 1;
    for (word index = first; index < count; index++) copy(at + index * size, at + (index % first) * size, size);
}

/* A number that is handed in beside what is long is that length, mostly. */
static int stretched_number(word key, word bits, word *value) {
    if (!H->stretch || !H->is_parameter || bits < 16) return 0;
    word random = one_of(mixed(key, 21), 8);
    if (random > 5) return 0;
    H->stretched += H->stretched == 0;
    *value = random == 5 ? H->stretch - 1 : H->stretch;
    return 1;
}

/* The place of a member that points to the next of the same kind: the first one or the second. */
static int link_of(word number, word which, word *at) {
    const struct type *type = type_of(number);
    const struct field *fields = (const struct field *)(H->plan + type->a);
    for (word index = 0; index < type->b && type->kind == RECORD && !type->c; index++) {
        const struct type *of = type_of(fields[index].type);
        if (!fields[index].is_used || of->kind != POINTER || of->a != number || which-- > 0) continue;
        *at = fields[index].bit / 8;
        return 1;
    }
    return 0;
}

static void build(word number, char *at, word key, int depth);
static char *object(size_t size, long type);

/* Other numbers in a node that is like another one. */
static void build_numbers(const struct type *type, char *at, word key) {
    const struct field *fields = (const struct field *)(H->plan + type->a);
    for (word index = 0; index < type->b; index++) {
        const struct type *of = type_of(fields[index].type);
        if (fields[index].is_used && !fields[index].bits && of->kind == INTEGER && !of->c) build(fields[index].type, at + fields[index].bit / 8, mixed(key, index), DEEPEST);
    }
}

/* A list of many nodes, each linked to the next, and now and then to the one before. */
static char *chain(word number, word key) {
    enum { KINDS = 4 };
    const struct type *type = type_of(number);
    word next, before, count = H->stretch > LARGE ? MANY_NODES : NODES;
    int goes_back = link_of(number, 1, &before) && one_of(mixed(key, 24), 2);
    char *kinds[KINDS], *first = NULL, *last = NULL, *none = NULL;
    H->chains++, H->stretched++;
    link_of(number, 0, &next);
    for (word index = 0; index < count; index++) {
        char *node = object(type->size, (long)number);
        if (index < KINDS) build(number, kinds[index] = node, mixed(key, index + 3000), 2);
        else copy(node, kinds[index % KINDS], type->size), build_numbers(type, node, mixed(key, index + 3000));
        copy(node + next, &none, sizeof node);
        if (link_of(number, 1, &before)) copy(node + before, goes_back ? &last : &none, sizeof node);
        if (last) copy(last + next, &node, sizeof node);
        else first = node;
        last = node;
    }
    return first;
}
