/* Building an input: objects in memory, from types and choices. */

void *__real_malloc(size_t);
void __real_free(void *);
int __asan_address_is_poisoned(const void volatile *);
void *__asan_region_is_poisoned(void *, size_t);

static struct region *region_at(const void *at) {
    for (unsigned index = H->region_count; index-- > 0;) {
        struct region *region = &H->regions[index];
        if ((char *)at >= region->base && (char *)at <= region->base + region->size) {
            /* The end of one may be the start of another. */
            if ((char *)at < region->base + region->size || region->size == 0) return region;
            struct region *other = NULL;
            for (unsigned more = 0; more < H->region_count; more++)
                if (H->regions[more].base == (char *)at && H->regions[more].is_live) other = &H->regions[more];
            return other ? other : region;
        }
    }
    return NULL;
}

static struct region *add_region(void *base, size_t size, long type, int is_ours) {
    if (H->region_count == MOST_REGIONS) return NULL;
    struct region *region = &H->regions[H->region_count++];
    *region = (struct region){.base = base, .size = size, .type = type, .is_live = 1, .is_ours = is_ours};
    return region;
}

/* Memory of our own, all zero. */
static char *object(size_t size, long type) {
    char *base = __real_malloc(size ? size : 1);
    if (!base) stop(DIED);
    fill(base, 0, size);
    struct region *region = add_region(base, size, type, 1);
    if (!region) stop_building();
    region->made_by = BY_HARNESS;
    H->in_use += size;
    H->cost += size / 16;
    H->objects++;
    return base;
}

static void build(word number, char *at, word key, int depth);
static char *construct(word number, char *at, word key, int depth);
static void build_string(char *at, word key);
static void build_view(char *at, word key);
static void build_table(const struct type *type, char *at, word key);
static void build_sequence(const struct type *type, char *at, word key, int depth);

static void save_bytes(const char *about, word number, const char *bytes, word size);
static void save_number(const char *about, word number, word value);
static void save_value(const char *about, word number, word type, const void *at);

static void remember(char *base, word length, word type) {
    if (H->recent_count == MOST_RECENT) return;
    H->recent[H->recent_count++] = (struct recent){base, length, type};
}

static void *const stubs[MOST_STUBS][2];
static void *stub(word number, word key);

/* A stream with something in it. */
static FILE *stream(word key) {
    if (H->stream_count == sizeof H->streams / sizeof *H->streams) return H->streams[0];
    char content[256];
    word count = text(key, content, sizeof content);
    FILE *made = tmpfile();
    if (!made) return NULL;
    if (count) fwrite(content, 1, count, made);
    rewind(made);
    save_bytes("content", H->stream_count, content, count);
    H->streams[H->stream_count++] = made;
    return made;
}

/* Now and then as many as the code has numbers for, or the product of two of them; mostly nothing. */
static word large_count(word key) {
    word random = one_of(key, 1 << 30);
    if (random % 12 || !plan()->literals) return 0;
    word a = literal(random >> 4), b = literal(random >> 14);
    word count = random >> 28 & 1 ? a * b : a;
    return count < 1 << 18 ? count : 0;
}

/* How many of something a pointer that is indexed has behind it. */
static word several(word key) {
    static const word counts[] = {1, 2, 3, 4, 5, 8, 8, 16};
    word large = large_count(mixed(key, 19));
    return large ? large : counts[one_of(key, sizeof counts / sizeof *counts)];
}

/* Elements of a sequence: mostly each is by itself; in some sequences most are what the one before is, and in some most
 * stay zero, as in tables that a program has just begun to fill. */
static void build_elements(word of, char *at, word count, word key, int depth) {
    word size = type_of(of)->size, style = count > 2 ? one_of(mixed(key, 23), 6) : 2, own = 0;
    for (word index = 0; index < count; index++) {
        word is_other = style > 1 || one_of(mixed(key, index + 10000), 6) == 0;
        if (is_other || index == 0) own = index;
        if (is_other || style == 0) build(of, at + index * size, mixed(key, own + 20), depth);
    }
}

static char *buffer(word to, const struct type *pointer, word key) {
    const struct type *type = type_of(to);
    /* What is only read is as long as it says; what is written to has room. */
    char content[256];
    word length = text(mixed(key, 3), content, pointer->c ? 48 : 32);
    if (one_of(mixed(key, 4), 24) == 0) length += text(mixed(key, 5), content + length, 200);
    /* Now and then nothing stands behind it. */
    word room = length + (length == 0 || one_of(mixed(key, 18), 6) != 0);
    if (!pointer->c) room += one_of(mixed(key, 6), 8) == 0 ? 0 : 64 << one_of(mixed(key, 7), 4);
    if (pointer->b) room += large_count(mixed(key, 19));
    word more = stretched(type->size);
    if (more) room += more;
    char *base = object(room * type->size, (long)to);
    if (type->size == 1) copy(base, content, length);
    else for (word index = 0; index < length; index++) copy(base + index * type->size, &(word){(unsigned char)content[index]}, type->size);
    if (more) {
        if (one_of(mixed(key, 25), 4)) repeat(base, (word)to, type->size, length, more);
        length = more;
    }
    int is_room = !pointer->c && one_of(mixed(key, 8), 2);
    remember(base, is_room ? room : length, to);
    return base;
}

/* Now and then a function of the unit itself, if its code names one that takes and returns the same. */
static void *known_function(word like, word key) {
    word alike[16], count = 0;
    for (word index = 0; index < plan()->functions && count < 16; index++)
        if (H->plan[plan()->functions_at + index] == like) alike[count++] = index;
    if (count == 0 || one_of(mixed(key, 79), 3)) return NULL;
    return H->globals[plan()->globals + alike[one_of(mixed(key, 80), count)]];
}

static void *pointed(const struct type *pointer, word key, int depth) {
    word to = pointer->a, choice = one_of(key, 100);
    /* A struct that code takes for a larger one is the larger one: all in an input, or none. */
    word wider = type_of(to)->wider;
    if (wider && one_of(mixed(to, 950), 4)) to = H->plan[wider + 1 + one_of(mixed(to, 951), H->plan[wider])];
    const struct type *type = type_of(to);
    if (type->kind == FUNCTION) {
        if (choice < (depth ? 15 : 5)) return NULL;
        void *known = known_function(to, key);
        return known ? known : stub(to, key);
    }
    if (type->kind == STREAM) return choice < 3 ? NULL : stream(key);
    int is_full = H->objects >= MOST_OBJECTS || depth >= DEEPEST;
    int must_be = pointer->last == NEVER_NULL;
    if (must_be && depth > 2 * DEEPEST) stop_building();
    if (!must_be && choice < (depth == 0 ? 4 : depth == 1 ? 14 : depth == 2 ? 30 : 45)) return NULL;
    int is_plain = type->kind == INTEGER || type->kind == VOID || type->kind == FLOATING;
    /* The end of the buffer before it, or somewhere in it. */
    for (unsigned index = H->recent_count; index-- > H->recent_from && !pointer->last;) {
        struct recent *recent = &H->recent[index];
        if (recent->type != to || (!is_plain && recent->length < 2)) continue;
        if (one_of(mixed(key, 1), 100) >= (is_plain ? 55 : 30)) continue;
        word part = one_of(mixed(key, 2), 4);
        return recent->base + type->size * (part < 2 ? recent->length : one_of(mixed(key, 9), recent->length + 1));
    }
    /* Something of this type that is there already. */
    if (pointer->last != ALONE && (((!is_plain || must_be) && one_of(mixed(key, 10), 100) < (depth ? 15 : is_plain ? 10 : 6)) || is_full)) {
        unsigned found = 0;
        word wanted = one_of(mixed(key, 11), 8);
        struct region *best = NULL;
        for (unsigned index = 0; index < H->region_count && found <= wanted; index++)
            if (H->regions[index].type == (long)to && H->regions[index].is_ours) best = &H->regions[index], found++;
        if (best && (!must_be || best->size >= type->size)) return best->base;
    }
    if (is_full && !must_be) return NULL;
    if (type->kind == INTEGER && type->c && type->size <= 4 && !pointer->last) return buffer(to, pointer, key);
    if (type->kind == MADE || (type->made && !pointer->b)) return construct(to, object(type->size, (long)to), key, depth + 1);
    if (type->kind == OPAQUE || type->kind == VOID || type->size == 0) {
        char *base = object(64, (long)to);
        if (one_of(mixed(key, 16), 2)) for (int index = 0; index < 64; index++) base[index] = (char)(mixed(key, (word)index) % 96 + 32);
        return base;
    }
    /* Where no code is seen to go on to the next one, there may be such code all the same. */
    int is_many = pointer->b || (is_plain && one_of(mixed(key, 22), 4) == 0);
    if (depth <= 1 && H->stretch && !H->chains && link_of(to, 0, &(word){0})) return chain(to, key);
    word count = is_many ? several(mixed(key, 12)) : 1, many = pointer->b ? stretched(type->size) : 0;
    if (many) count = many;
    if (is_plain && !pointer->c && pointer->b && (one_of(mixed(key, 13), 2) || many)) count += 64;
    size_t extra = 0;
    const struct type *last = type->kind == RECORD && type->last ? type_of(type->last - 1) : NULL;
    if (last) extra = 8 * last->size, count = 1;
    if (count * type->size + extra > 2 << 20) return NULL;
    char *base = object(count * type->size + extra, (long)to);
    word built = is_plain ? (count < 80 ? count : 80) : count < 8 ? count : 8;
    build_elements(to, base, built, key, depth + 1);
    if (many) repeat(base, to, type->size, built, many), count = many;
    if (last)
        for (word index = 0; index < 8 && last->size; index++)
            build(type->last - 1, base + type->size + index * last->size, mixed(key, index + 2000), depth + 2);
    if (count > 1 || is_plain) remember(base, count, to);
    return base;
}

static void store_bits(char *at, word bit, word bits, word value) {
    for (word index = 0; index < bits; index++) {
        char *byte = at + (bit + index) / 8;
        int shift = (int)((bit + index) % 8);
        *byte = (char)((*byte & ~(1 << shift)) | (int)((value >> index & 1) << shift));
    }
}

static void build_record(const struct type *type, char *at, word key, int depth) {
    const struct field *fields = (const struct field *)(H->plan + type->a);
    unsigned from = H->recent_from, count = H->recent_count;
    H->recent_from = H->recent_count;
    /* Of a union, the first member that code uses, which may say what the others are, and over it one of them. */
    word only = 0, first = 0, used = 0;
    for (word index = 0; index < type->b; index++) used += fields[index].is_used;
    if (type->c && used) {
        word left = one_of(mixed(key, 14), used);
        while (!fields[first].is_used) first++;
        while (!fields[only].is_used || left-- > 0) only++;
        if (type_of(fields[only].type)->kind != RECORD) first = only;
    }
    for (word index = 0; index < type->b; index++) {
        const struct field *field = &fields[index];
        if (!field->is_used || (type->c && index != only && index != first)) continue;
        word inner = mixed(key, index + 300);
        const struct type *of = type_of(field->type);
        if (field->bits == 0) build(field->type, at + field->bit / 8, inner, depth);
        else if (field->bits <= 64 && (of->kind == INTEGER || of->kind == BOOLEAN || of->kind == ENUMERATION))
            store_bits(at, field->bit, field->bits, number(inner, field->bits, 0, 0));
    }
    H->recent_from = from;
    H->recent_count = count;
}

static void build(word number_of, char *at, word key, int depth) {
    const struct type *type = type_of(number_of);
    word value;
    switch (type->kind) {
    case BOOLEAN: {
        word how, random = chosen(key, &how);
        *at = (char)(random & 1);
        drew(key, random & 1, 1);
        break;
    }
    case INTEGER:
        value = number(key, type->a, (int)type->b, (int)type->c);
        copy(at, &value, type->size > 8 ? 8 : type->size);
        break;
    case ENUMERATION: {
        word how, random = chosen(key, &how);
        value = how == 1 ? random : type->b && random % 12 ? H->plan[type->a + (random >> 8) % type->b] : (random >> 8) % 8;
        drew(key, cut(value, type->size * 8), type->size);
        copy(at, &value, type->size);
        break;
    }
    case FLOATING: {
        long double value = real(key, type->a);
        if (type->a == 32) copy(at, &(float){(float)value}, 4);
        else if (type->a == 64) copy(at, &(double){(double)value}, 8);
        else if (type->size == sizeof(long double)) copy(at, &value, 10);
        break;
    }
    case POINTER: {
        word how, wanted = chosen(key, &how);
        void *made;
        if (how == 3) made = wanted && wanted <= H->region_count ? H->regions[wanted - 1].base : NULL;
        else made = pointed(type, key, depth);
        drew(key, (word)made, ADDRESS);
        copy(at, &made, sizeof made);
        break;
    }
    case ARRAY: {
        const struct type *of = type_of(type->a);
        if (of->kind == INTEGER && of->c && of->size == 1) {
            /* What is unsigned is as often a table as a text. */
            if (!of->b && type->b && one_of(mixed(key, 16), 2)) {
                int is_any = one_of(mixed(key, 17), 2) == 0;
                for (word index = 0; index < type->b && index < 256; index++)
                    at[index] = (char)number(mixed(key, index + 20), 8, 0, is_any ? ANY : 0);
            } else if (type->b) {
                word length = text(key, at, type->b > 200 ? 200 : type->b - 1);
                if (type->b > 200 && stretched(1)) length = H->stretch < type->b ? H->stretch : type->b - 1, repeat(at, type->a, 1, length < 200 ? length : 200, length);
                remember(at, one_of(mixed(key, 15), 2) ? length : type->b, type->a);
            }
            break;
        }
        word count = type->b < 40 ? type->b : 40;
        build_elements(type->a, at, count, key, depth + 1);
        /* Now and then the last ones of many. */
        if (type->b > count && one_of(mixed(key, 27), 3) == 0) {
            word left = type->b - count < 4 ? type->b - count : 4;
            build_elements(type->a, at + (type->b - left) * of->size, left, mixed(key, 28), depth + 1);
        }
        if (type->b > 1) remember(at, type->b, type->a);
        break;
    }
    case RECORD:
        if (!type->made) build_record(type, at, key, depth);
        else if (construct(number_of, at, key, depth) != at) stop_building();
        break;
    case MADE: if (construct(number_of, at, key, depth) != at) stop_building(); break;
    case STRING: build_string(at, key); break;
    case VIEW: build_view(at, key); break;
    case SEQUENCE: build_sequence(type, at, key, depth); break;
    case DISPATCH: build_table(type, at, key); break;
    default: break;
    }
}
