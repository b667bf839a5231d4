/* Observing: what a value is, by its type, without padding and addresses. A pointer is what it points to. */

extern char __executable_start[], end[];
size_t __sanitizer_get_allocated_size(const volatile void *);
int __sanitizer_get_ownership(const volatile void *);

/* Tells what is seen, if that is wanted: no more of it than people read. */
static void say(const char *format, const char *what, word value) {
    enum { MOST_TOLD = 1 << 16, MOST_SAVED = 1 << 24 };
    word most = H->is_saving ? MOST_SAVED : MOST_TOLD;
    if (H->tell < 0 || H->told > most) return;
    H->told += (word)dprintf(H->tell, format, what, (long long)value);
    if (H->told > most) dprintf(H->tell, " ...");
}

static void note(const char *what, word value) {
    H->hash = mixed(H->hash ^ (word)(unsigned char)what[0] << 56, value);
    say(" %s %lld", what, value);
}

static void note_line(const char *what, word index) { say("\n%s %lld:", what, index); }

/* What reading.rs needs to know of what is told, and the hash does not: types, and what belongs together. */
#define OF_TYPE " :%s%lld"
#define RECORD_OF " {%s%lld"
#define ELEMENTS_OF " [%s%lld"
#define MADE_OF " <%s%lld"
static void mark(const char *how, word number) { if (H->tell >= 0) say(how, "", number); }

/* Of what is long, so many elements are looked at. */
enum { MOST_SEEN = 1 << 17 };

static int is_readable(const void *at, size_t size) {
    char *from = (char *)at;
    if (region_at(at)) return !__asan_region_is_poisoned(from, size);
    return from >= __executable_start && from + size <= end && !__asan_region_is_poisoned(from, size);
}

/* Whether something is on the stack of the function, the one that the sanitizer puts in its place included. */
static int is_on_stack(const char *at, size_t size) {
    void *false_stack = __asan_get_current_fake_stack();
    if (at > (const char *)__builtin_frame_address(0) && at + size <= H->stack) return 1;
    return false_stack && __asan_addr_is_in_fake_stack(false_stack, (void *)at, NULL, NULL);
}

/* Stands for memory of the function's own, where there is no region. */
static const struct region not_ours;

/* Memory that was given out and never written to: its bytes are ours, not the function's. */
static int is_untouched(const struct region *region, const char *at, size_t size) {
    if (!region || region->is_ours) return 0;
    for (size_t index = 0; index < size; index++)
        if ((unsigned char)at[index] != H->fill) return 0;
    return 1;
}

static void see(word number, const char *at, const struct region *in, int depth);

/* Text up to its end, as far as it may be read. */
static void see_string(const char *at, int most) {
    for (int index = 0; index < most && is_readable(at + index, 1) && at[index]; index++) note("", (unsigned char)at[index]);
}

/* Bytes that are known to be text. */
static void see_text(const char *at, word length) {
    note("text", length);
    for (word index = 0; index < length && index < MOST_SEEN; index++) note("", (unsigned char)at[index]);
}

/* Room that belongs to a string or vector: what of it counts is told with its owner. */
static void own_storage(const char *base) {
    struct region *region = base ? region_at(base) : NULL;
    if (region && region->base == base) region->is_storage = 1;
}

/* What code of a class tells of an object. */
static const struct type *seen_type;
static void see_each(long which, const void *at, long length) {
    const struct type *type = seen_type;
    if (which == 2) note("", (word)length);
    else if (which == 3) see_text(at, (word)length);
    else see((which ? type->b : type->a) - 1, at, NULL, 1);
    seen_type = type;
}

/* The end of the variable of the program that something is in, and whether it is a text that has no name. */
const char *__asan_locate_address(void *, char *, size_t, void **, size_t *);
static const char *end_of_constant(const char *at, int *is_nameless) {
    static const char nameless[] = "*.<";
    struct constant *known = &H->constants[((word)at >> 2) % MOST_CONSTANTS];
    if (known->at != at) {
        char name[2] = "";
        void *base = NULL;
        size_t size = 0;
        const char *what = __asan_locate_address((void *)at, name, sizeof name, &base, &size);
        int is_known = what && what[0] == 'g' && (char *)base <= at && at < (char *)base + size;
        *known = (struct constant){at, is_known ? (char *)base + size : at, !name[0] || strchr(nameless, name[0])};
    }
    *is_nameless = known->is_nameless;
    return known->end;
}

/* What the program says by itself: a text up to its end, a table with all that stands in it from here on. */
static void see_constant(const char *at, word to, int depth) {
    enum { MOST_TOLD_OF = 4096 };
    const struct type *type = type_of(to);
    int is_nameless, is_text = type->kind == INTEGER && type->size == 1;
    const char *until = end_of_constant(at, &is_nameless);
    word count = (word)(until - at) / type->size;
    if (count > MOST_TOLD_OF) count = MOST_TOLD_OF;
    if (is_text && (is_nameless || !count)) { note("text", 0); see_string(at, MOST_TOLD_OF); return; }
    while (is_text && count && !at[count - 1]) count--;
    note(is_text ? "text" : "constant", 0);
    if (!count && !is_text) count = 1;
    for (word index = 0; index < count && is_readable(at, type->size); index++, at += type->size)
        if (is_text) note("", (unsigned char)*at);
        else see(to, at, NULL, depth + 1);
}

static void see_pointer(const char *at, long to, int depth) {
    if (!at) { note("null", 0); return; }
    for (unsigned index = 0; index < H->stream_count; index++)
        if ((char *)H->streams[index] == at) { note("stream", index); return; }
    struct region *region = region_at(at);
    if (!region && __sanitizer_get_ownership(at)) {
        region = add_region((char *)at, __sanitizer_get_allocated_size(at), to, 0);
        if (region) region->is_found = 1;
    }
    if (region && region->is_storage) {
        note("within", (word)(at - region->base));
        const struct type *type = to >= 0 ? type_of((word)to) : NULL;
        if (type && type->kind == INTEGER && type->size == 1) see_string(at, 4096);
        return;
    }
    if (region) {
        if (!region->is_seen) {
            region->is_seen = 1;
            /* What is saved is told at several times, and numbered once. */
            region->ordinal = H->is_saving ? (unsigned)(region - H->regions) + 1 : ++H->ordinals;
            if (region->type < 0 || (type_of(region->type)->kind == VOID && to >= 0)) region->type = to;
            H->queue[H->queue_to++ % MOST_REGIONS] = (unsigned)(region - H->regions);
        }
        note("object", region->ordinal);
        note("+", (word)(at - region->base));
        return;
    }
    for (int bank = 0; bank < 2; bank++)
        for (unsigned index = 0; index < H->stub_counts[bank]; index++)
            if (stubs[index][bank] == at) { note("stub", index); return; }
    for (word index = 0; index < plan()->functions; index++)
        if (H->globals[plan()->globals + index] == at) { note("function", index); return; }
    if (at >= __executable_start && at < end) {
        const struct type *type = to >= 0 ? type_of((word)to) : NULL;
        int is_constant = type && (type->kind == INTEGER || type->kind == FLOATING || type->kind == RECORD) && type->size;
        if (is_constant && depth < 3 && is_readable(at, type->size)) see_constant(at, (word)to, depth);
        else note("image", 0);
        return;
    }
    note("elsewhere", 0);
}

/* Whether a number may be the address of something of the program itself: that is elsewhere in each program, and programs
 * differ in size. */
static int is_about_the_image(word value) {
    enum { LARGEST_IMAGE = 16 << 20 };
    return value >= (word)__executable_start && value < (word)__executable_start + LARGEST_IMAGE;
}

/* Bytes of no known type: what looks like a pointer is one. */
static void see_bytes(const char *at, size_t size, const struct region *in) {
    for (size_t index = 0; index < size;) {
        word value = 0;
        if (index % 8 == 0 && index + 8 <= size) {
            copy(&value, at + index, 8);
            int is_object = value > 4096 && region_at((void *)value) != NULL;
            if (is_object || is_about_the_image(value)) {
                if (is_object) see_pointer((char *)value, -1, 9);
                else note("image", 0);
                index += 8;
                continue;
            }
        }
        if (is_untouched(in, at + index, 1)) note("untouched", 0);
        else note("", (unsigned char)at[index]);
        index++;
    }
}

/* Small numbers of memory that is ours, many at a time; says whether they could be looked at so. */
static int see_numbers(const struct type *of, const char *at, word count, const struct region *in) {
    if (of->kind != INTEGER || of->size >= sizeof(word) || H->tell >= 0 || (in && !in->is_ours)) return 0;
    const char *to = at + count * of->size;
    word value;
    for (; at + sizeof value <= to; at += sizeof value) copy(&value, at, sizeof value), note("", value);
    value = 0;
    copy(&value, at, (size_t)(to - at));
    note("", value);
    return 1;
}

static void see(word number_of, const char *at, const struct region *in, int depth) {
    const struct type *type = type_of(number_of);
    word value = 0;
    switch (type->kind) {
    case BOOLEAN: case INTEGER: case ENUMERATION:
        mark(OF_TYPE, number_of);
        if (is_untouched(in, at, type->size)) { note("untouched", 0); break; }
        copy(&value, at, type->size > 8 ? 8 : type->size);
        if (type->size == 8 && is_about_the_image(value)) note("image", 0);
        else note("", value);
        if (type->size > 8) copy(&value, at + 8, 8), note("", value);
        break;
    case FLOATING:
        mark(OF_TYPE, number_of);
        if (is_untouched(in, at, type->size)) { note("untouched", 0); break; }
        if (type->a == 32) {
            float narrow;
            copy(&narrow, at, 4);
            if (narrow != narrow) note("not-a-number", 0);
            else copy(&value, at, 4), note("real", value);
        } else {
            double wide;
            if (type->a == 64) copy(&wide, at, 8);
            else {
                long double widest = 0;
                copy(&widest, at, 10);
                wide = (double)widest;
                /* The digits that are not told count as well. */
                copy(&value, at, 8);
                if (widest == widest) H->hash = mixed(H->hash, value);
                value = 0;
            }
            if (wide != wide) note("not-a-number", 0);
            else copy(&value, &wide, 8), note("real", value);
        }
        break;
    case POINTER: {
        if (is_untouched(in, at, 8)) { note("untouched", 0); break; }
        char *to;
        copy(&to, at, sizeof to);
        see_pointer(to, (long)type->a, depth);
        break;
    }
    case ARRAY: {
        const struct type *of = type_of(type->a);
        if (see_numbers(of, at, type->b, in)) break;
        mark(ELEMENTS_OF, type->a);
        for (word index = 0; index < type->b; index++) see(type->a, at + index * of->size, in, depth);
        mark(" ]", 0);
        break;
    }
    case RECORD: {
        mark(RECORD_OF, number_of);
        if (type->c) { see_bytes(at, type->size, in); mark(" }", 0); break; }
        const struct field *fields = (const struct field *)(H->plan + type->a);
        for (word index = 0; index < type->b; index++) {
            if (fields[index].bits == 0) { see(fields[index].type, at + fields[index].bit / 8, in, depth); continue; }
            value = 0;
            for (word bit = 0; bit < fields[index].bits && bit < 64; bit++) {
                word place = fields[index].bit + bit;
                value |= (word)(at[place / 8] >> place % 8 & 1) << bit;
            }
            mark(OF_TYPE, fields[index].type);
            note("", value);
        }
        mark(" }", 0);
        break;
    }
    case STRING: case VIEW: {
        word parts[2];
        copy(parts, at, sizeof parts);
        const char *base = (const char *)parts[type->kind == VIEW];
        word length = parts[type->kind == STRING];
        if (length && base != at + 16 && !is_readable(base, length)) { note("no text", length); break; }
        if (type->kind == STRING) own_storage(base);
        see_text(base, length);
        break;
    }
    case SEQUENCE: {
        const char *ends[2];
        copy(ends, at, sizeof ends);
        word size = type_of(type->a)->size, length = (word)(ends[1] - ends[0]);
        if (length && (!size || length % size || !is_readable(ends[0], length))) { note("no elements", length); break; }
        own_storage(ends[0]);
        word count = size ? length / size : 0;
        note("elements", count);
        mark(ELEMENTS_OF, type->a);
        for (word index = 0; index < count && index < MOST_SEEN; index++) see(type->a, ends[0] + index * size, NULL, depth);
        mark(" ]", 0);
        break;
    }
    case MADE: {
        const struct type *outer = seen_type;
        mark(MADE_OF, number_of);
        note("object", type->made);
        seen_type = type;
        H->makers[type->made / 2 - 1].each(at, see_each);
        seen_type = outer;
        mark(" >", 0);
        break;
    }
    default: mark(" ?", 0); break;
    }
}

/* How often the function is called in a row, with what it left. What it keeps may show only after many calls. */
enum { CALLS = 600, SOME_CALLS = 4, MANY_CALLS = 300 };
static word calls_in_a_row(void) {
    if (plan()->ends_object || one_of(CALLS, 6)) return 1;
    static const word times[] = {2, SOME_CALLS, MANY_CALLS};
    return times[one_of(CALLS + 1, 3)];
}

/* How much of a block is looked at. Where answers are graded, who takes more room than is needed and leaves it as it was is
 * not worse for that. */
static size_t seen_size(const struct region *region, size_t element) {
    size_t size = region->size;
    if (!plan()->is_graded || region->is_ours) return size;
    while (size && (unsigned char)region->base[size - 1] == H->fill) size--;
    if (element) size = (size + element - 1) / element * element;
    return size < region->size ? size : region->size;
}

/* Everything that was found by following pointers, each once. */
static void see_found(void) {
    while (H->queue_from != H->queue_to) {
        struct region *region = &H->regions[H->queue[H->queue_from++ % MOST_REGIONS]];
        note_line("object", region->ordinal);
        if (region - H->regions < (ptrdiff_t)plan()->globals) mark(" =%s%lld", (word)(region - H->regions));
        if (!region->is_live) { note("freed", 0); continue; }
        if (region->is_storage) { note("within", 0); continue; }
        const struct type *type = region->type >= 0 ? type_of((word)region->type) : NULL;
        const size_t size = seen_size(region, type ? type->size : 0);
        if (!region->is_ours) note("of", size);
        if (!type || type->size == 0 || type->kind == VOID || type->kind == OPAQUE) { see_bytes(region->base, size, region); continue; }
        word of = (word)region->type, count = size / type->size;
        const char *at = region->base;
        /* A struct that ends with an array has more of its elements behind it. */
        if (type->kind == RECORD && type->last && count && type_of(type->last - 1)->size) {
            see(of, at, region, 0);
            at += type->size;
            of = type->last - 1;
            count = (size - type->size) / type_of(of)->size;
        }
        if (count > MOST_SEEN && !H->is_saving) count = MOST_SEEN;
        mark(ELEMENTS_OF, of);
        if (see_numbers(type_of(of), at, count, region)) at += count * type_of(of)->size;
        else for (word index = 0; index < count; index++, at += type_of(of)->size) see(of, at, region, 0);
        mark(" ]", 0);
        size_t rest = (size_t)(region->base + size - at);
        if (rest && rest < 4096) see_bytes(at, rest, region);
    }
}

static void forget_seen(void) {
    for (unsigned index = 0; index < H->region_count; index++) H->regions[index].is_seen = 0;
    H->ordinals = H->queue_from = H->queue_to = 0;
}

/* Tells what an input is made of and is not seen before the call, if it is to be saved: a line about something, with bytes or
 * a value. It leaves no trace in what is compared. */
static void save_bytes(const char *about, word number, const char *bytes, word size) {
    if (!H->is_saving) return;
    note_line(about, number);
    say(" %s %lld", "text", size);
    for (word index = 0; index < size; index++) say(" %s %lld", "", (unsigned char)bytes[index]);
}
static void save_number(const char *about, word number, word value) {
    if (!H->is_saving) return;
    note_line(about, number);
    say(" %s %lld", "", value);
}
static void save_value(const char *about, word number, word type, const void *at) {
    if (!H->is_saving) return;
    word hash = H->hash;
    note_line(about, number);
    see(type, at, NULL, 0);
    see_found();
    H->hash = hash;
}
