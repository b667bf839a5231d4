/* Building what only C++ has: strings and vectors by where their parts are, and objects by code of their class. */

/* Text behind an address and a length. Short text lies within the string itself. */
static void build_string(char *at, word key) {
    char content[256];
    word length = text(mixed(key, 3), content, 48);
    if (one_of(mixed(key, 4), 24) == 0) length += text(mixed(key, 5), content + length, 200);
    char *base = at + 16;
    word more = stretched(1), all = more ? more : length;
    if (all > 15) {
        base = object(all + 1, -1);
        H->regions[H->region_count - 1].is_storage = 1;
        copy(at + 16, &all, 8);
    }
    copy(base, content, length < all ? length : all);
    if (more) repeat(base, (word)-1, 1, length, all);
    length = all;
    base[length] = 0;
    copy(at, &base, 8), copy(at + 8, &length, 8);
    remember(base, length, (word)-1);
}

static void build_view(char *at, word key) {
    char content[64];
    word length = text(mixed(key, 3), content, 48), more = stretched(1);
    char *base = object(more ? more : length, -1);
    H->regions[H->region_count - 1].is_storage = 1;
    copy(base, content, length);
    if (more) repeat(base, (word)-1, 1, length, more), length = more;
    copy(at, &length, 8), copy(at + 8, &base, 8);
}

static void build_sequence(const struct type *type, char *at, word key, int depth) {
    static const word counts[] = {0, 1, 1, 2, 3, 4, 5, 9};
    const struct type *of = type_of(type->a);
    word count = counts[one_of(mixed(key, 16), sizeof counts / sizeof *counts)], room = count;
    if (H->objects >= MOST_OBJECTS || depth >= DEEPEST) count = room = 0;
    word more = count ? stretched(of->size) : 0;
    if (count && one_of(mixed(key, 17), 4) == 0) room += 3;
    if (more && of->kind != STRING && of->kind != SEQUENCE && of->kind != MADE && !of->made) room = more;
    else more = 0;
    char *base = NULL;
    if (room) {
        base = object(room * of->size, (long)type->a);
        H->regions[H->region_count - 1].is_storage = 1;
        H->regions[H->region_count - 1].is_ours = 0;
    }
    for (word index = 0; index < count; index++) build(type->a, base + index * of->size, mixed(key, index + 20), depth + 1);
    if (more) repeat(base, type->a, of->size, count, more), count = more;
    char *ends[] = {base, base + count * of->size, base + room * of->size};
    copy(at, ends, sizeof ends);
    remember(base, count, (word)-1);
}

/* The methods of an object of which there is no code: functions that are handed in. Before the first stands what says its
 * class, which is not there. */
static void build_table(const struct type *type, char *at, word key) {
    char **table = (char **)object((type->b + 2) * sizeof *table, -1);
    H->regions[H->region_count - 1].is_storage = 1;
    for (word index = 0; index < type->b; index++) table[index + 2] = stub(H->plan[type->a + index], mixed(key, index + 800));
    table += 2;
    copy(at, &table, sizeof table);
}

/* Runs code of the unit while an input is built: what does not return makes no input. */
static void *make(const struct estrange_maker *maker, char *at, long which, void **arguments) {
    H->is_in_call = 1;
    void *made = maker->make(at, which, arguments);
    H->is_in_call = 0;
    if (!made || H->end == THREW) stop_building();
    return made;
}

/* Something that is taken by the code that makes an object. */
static char *taken(word number, word key, int depth) {
    const struct type *type = type_of(number);
    char *at = object(type->size, -1);
    H->regions[H->region_count - 1].is_ours = 0;
    H->regions[H->region_count - 1].is_storage = 1;
    build(number, at, key, depth + 1);
    return at;
}

/* Members of an object that was made, some of them. What the object itself has set up stays. */
static void vary(const struct type *type, char *at, word key, int depth) {
    const struct field *fields = (const struct field *)(H->plan + type->a);
    for (word index = 0; index < type->b && !type->c; index++) {
        const struct field *field = &fields[index];
        const struct type *of = type_of(field->type);
        word inner = mixed(key, index + 400);
        char *place = at + field->bit / 8;
        if (of->kind == RECORD && !field->bits) { vary(of, place, inner, depth + 1); continue; }
        word flat = of->kind == ARRAY ? type_of(of->a)->kind : of->kind;
        int is_flat = flat == INTEGER || flat == BOOLEAN || flat == ENUMERATION || flat == FLOATING;
        if ((!is_flat && of->kind != STRING && of->kind != SEQUENCE) || one_of(mixed(inner, 1), 2)) continue;
        if (field->bits) store_bits(at, field->bit, field->bits, number(inner, field->bits, 0, 0));
        else build(field->type, place, inner, depth + 1);
    }
}

/* An object of a class: by one of its constructors, mostly, and then with other values in some of its members. Says where
 * what is wanted of it begins. */
static char *construct(word number, char *at, word key, int depth) {
    const struct type *type = type_of(number);
    const struct estrange_maker *maker = &H->makers[type->made / 2 - 1];
    const word *constructors = H->plan + H->plan[plan()->makers_at + type->made / 2 - 1];
    if (depth > 2 * DEEPEST) stop_building();
    int must = type->made & 1;
    word how = one_of(mixed(key, 30), 8);
    if ((!must && how < 3) || constructors[0] == 0) {
        if (must || type->kind != RECORD) stop_building();
        build_record(type, at, key, depth);
        return at;
    }
    word which = one_of(mixed(key, 31), constructors[0]);
    const word *parameters = H->plan + constructors[1 + which];
    void *arguments[MOST_PARAMETERS];
    unsigned from = H->recent_from, count = H->recent_count;
    H->recent_from = H->recent_count;
    for (word index = 0; index < parameters[0] && index < MOST_PARAMETERS; index++)
        arguments[index] = taken(parameters[1 + index], mixed(key, index + 500), depth);
    H->recent_from = from, H->recent_count = count;
    char *made = make(maker, at, (long)which, arguments);
    if (type->kind == RECORD && how & 1) vary(type, at, key, depth);
    if (type->kind == MADE && type->a) {
        word elements = depth < DEEPEST && H->objects < MOST_OBJECTS ? one_of(mixed(key, 32), 5) : 0;
        for (word index = 0; index < elements; index++) {
            char *first = taken(type->a - 1, mixed(key, index + 600), depth);
            char *second = type->b ? taken(type->b - 1, mixed(key, index + 700), depth) : NULL;
            H->is_in_call = 1;
            maker->add(at, first, second);
            H->is_in_call = 0;
        }
    }
    return made;
}
