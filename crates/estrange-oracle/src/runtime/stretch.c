/* What is long: in a few inputs of a function, all that has a length has one at which a narrower type for it would overflow,
 * and lists have many nodes. Such an input says so by one choice, and follows from its seed in all else. */

enum { MOST_OBJECTS = 48, DEEPEST = 6, MOST_IN_USE = 16 << 20 };

/* The choice that says how long; how many things of an input are so; and nodes of lists. */
enum { STRETCH = 940, MOST_STRETCHED = 4, LARGE = 1000, NODES = 40, MANY_NODES = 600, LARGEST_STRETCHED = 1 << 20 };

static void begin_stretch(void) {
    word how, value = chosen(STRETCH, &how);
    H->stretch = how == 1 ? value & 0xffffffff : 0;
    H->last_one = how == 1 ? (enum last_one)(value >> 32 & 0xff) : LIKE_OTHERS;
    H->which_literal = value >> 40;
    H->stretched = H->chains = 0;
    H->sequence_count = 0;
}

static word stretched_to(word length, enum last_one last_one, word literal) { return length | (word)last_one << 32 | literal << 40; }

/* How many of something of a size there are instead; none, if this is not stretched. */
static word stretched(word size) {
    if (!H->stretch || H->stretched >= MOST_STRETCHED || !size) return 0;
    H->stretched++;
    return H->stretch * size > LARGEST_STRETCHED ? LARGEST_STRETCHED / size : H->stretch;
}

/* Repeats the first elements until all are there. */
static void repeat(char *at, word type, word size, word first, word count) {
    if (first == 0) fill(at, 'a', size), first = 1;
    for (word index = first; index < count; index++) copy(at + index * size, at + (index % first) * size, size);
    if (H->sequence_count < MOST_SEQUENCES) H->sequences[H->sequence_count++] = (struct sequence){at, type, size, count};
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

/* A whole number that was handed in by itself, or else one that the code has. */
static word looked_for(void) {
    for (word index = 0; index < plan()->parameters; index++) {
        const struct type *type = type_of(H->plan[plan()->parameters_at + index]);
        word value = 0;
        if (type->kind != INTEGER || type->size > 8) continue;
        copy(&value, H->arguments[index], type->size);
        if (value + 1 < H->stretch || value > H->stretch) return value;
    }
    return plan()->literals ? literal(mixed(H->input->seed, STRETCH)) : 'q';
}

/* The number that the last element of a sequence has; those that are equal to it become another, which is told first. */
static word last_number(word bits, int is_signed, int is_text, word *other) {
    word sign = is_signed ? (word)1 << (bits - 1) : 0, value;
    switch (H->last_one) {
    case ALL_ALIKE:
        value = cut(plan()->literals ? H->plan[plan()->literals_at + H->which_literal % plan()->literals] : 'q', bits);
        if (is_text && !value) value = 'q';
        *other = value;
        return value;
    case ALL_LARGEST: case LARGEST: value = cut(sign ? ~sign : -1, bits), *other = cut(value - 1, bits); return value;
    case SMALLEST: value = is_text ? 1 : sign, *other = value + 1; return value;
    default:
        value = cut(looked_for(), bits);
        if (is_text && !value) value = 'q';
        *other = value == 'a' ? 'b' : is_text ? 'a' : cut(value + 1, bits);
        return value;
    }
}

static long double last_real(void) { return H->last_one == LARGEST || H->last_one == ALL_LARGEST ? 1e30L : H->last_one == SMALLEST ? -1e30L : (long double)(int64_t)looked_for(); }

/* Sets the numbers of an element so that the last one stands out. */
static void set_apart(const struct type *type, char *at, int is_last, int is_text) {
    const struct field *fields = (const struct field *)(H->plan + type->a);
    word value, other, own = 0;
    long double real = last_real();
    switch (type->kind) {
    case INTEGER:
        if (type->size > 8) return;
        value = last_number(type->size * 8, (int)type->b, is_text, &other);
        copy(&own, at, type->size);
        if (is_last) copy(at, &value, type->size);
        else if (own == value) copy(at, &other, type->size);
        return;
    case FLOATING:
        if (!is_last) return;
        if (type->a == 32) copy(at, &(float){(float)real}, 4);
        else if (type->a == 64) copy(at, &(double){(double)real}, 8);
        return;
    case RECORD:
        for (word index = 0; index < type->b && !type->c && !type->made; index++)
            if (fields[index].is_used && !fields[index].bits) set_apart(type_of(fields[index].type), at + fields[index].bit / 8, is_last, 0);
        return;
    default: return;
    }
}

/* Where something is sought, or the largest of all, it stands at the end of what is long: a place that is kept in too narrow
 * a type is another one. */
static void end_stretch(void) {
    static const struct type letter = {.kind = INTEGER, .size = 1, .a = 8, .b = 1, .c = 1};
    for (unsigned index = 0; index < H->sequence_count && H->last_one; index++) {
        const struct sequence *sequence = &H->sequences[index];
        const struct type *type = sequence->type == (word)-1 ? &letter : type_of(sequence->type);
        for (word element = 0; element < sequence->count; element++)
            set_apart(type, sequence->at + element * sequence->size, H->last_one >= ALL_LARGEST || element + 1 == sequence->count, type->kind == INTEGER && type->c && type->b && type->size == 1);
    }
}
