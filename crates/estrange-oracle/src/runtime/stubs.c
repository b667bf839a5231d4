/* Stubs stand for functions that are handed in: they tell what they are called with, answer by choice, and do what such
 * functions usually do. */

static word answer(int bank, unsigned number, const word *integers, const double *reals);
struct given_answer;
static const struct given *given_input(void);
static const struct given_answer *given_answer(unsigned stub, word call);
static word answer_given(const struct given_answer *answer, const struct type *type, const word *integers);
/* What a caller passes: the first whole numbers and the first real ones in registers, all else on the stack, where more is
 * read than may be there. */
enum { IN_REGISTERS = 6, REALS_IN_REGISTERS = 8, ON_STACK = 8 };
#define PASSED word a, word b, word c, word d, word e, word f, double p, double q, double r, double s, double t, double u, double v, double w, \
               word g, word h, word i, word j, word k, word l, word m, word o
#define WHOLE (word[]){a, b, c, d, e, f, g, h, i, j, k, l, m, o}
#define REALS (double[]){p, q, r, s, t, u, v, w}
#define STUB(n)                                                                                         \
    static word whole_##n(PASSED) { return answer(0, n, WHOLE, REALS); }                                 \
    static double real_##n(PASSED) {                                                                     \
        word bits = answer(1, n, WHOLE, REALS);                                                          \
        double value;                                                                                    \
        copy(&value, &bits, sizeof value);                                                               \
        return value;                                                                                    \
    }
STUB(0) STUB(1) STUB(2) STUB(3) STUB(4) STUB(5) STUB(6) STUB(7)
STUB(8) STUB(9) STUB(10) STUB(11) STUB(12) STUB(13) STUB(14) STUB(15)
STUB(16) STUB(17) STUB(18) STUB(19) STUB(20) STUB(21) STUB(22) STUB(23)
STUB(24) STUB(25) STUB(26) STUB(27) STUB(28) STUB(29) STUB(30) STUB(31)
#define BOTH(n) {(void *)whole_##n, (void *)real_##n}
static void *const stubs[MOST_STUBS][2] = {BOTH(0), BOTH(1), BOTH(2), BOTH(3), BOTH(4), BOTH(5), BOTH(6), BOTH(7),
                                           BOTH(8), BOTH(9), BOTH(10), BOTH(11), BOTH(12), BOTH(13), BOTH(14), BOTH(15),
                                           BOTH(16), BOTH(17), BOTH(18), BOTH(19), BOTH(20), BOTH(21), BOTH(22), BOTH(23),
                                           BOTH(24), BOTH(25), BOTH(26), BOTH(27), BOTH(28), BOTH(29), BOTH(30), BOTH(31)};

/* Whether a result is not returned but put where the caller says. */
static int is_put_elsewhere(const struct type *type) {
    return type->kind == STRING || type->kind == SEQUENCE || type->kind == MADE || (type->kind == RECORD && (type->size > 16 || type->made));
}

static void *stub(word number, word key) {
    const struct type *result = type_of(type_of(number)->a);
    if (result->kind == RECORD && !is_put_elsewhere(result)) return NULL;
    int bank = result->kind == FLOATING;
    for (unsigned index = 0; index < H->stub_counts[bank]; index++)
        if (H->stubs[bank][index].type == (long)number && one_of(mixed(key, 77), 2)) return stubs[index][bank];
    if (H->stub_counts[bank] == MOST_STUBS) return NULL;
    unsigned index = H->stub_counts[bank]++;
    H->stubs[bank][index] = (struct stub){(long)number, key, 0, one_of(mixed(key, 78), MANNERS)};
    return stubs[index][bank];
}

/* Whether a function that is handed in may write there. */
static int is_writable(char *at, size_t size) {
    return (is_on_stack(at, size) || region_at(at)) && !__asan_region_is_poisoned(at, size);
}

/* Of the first arguments those that point to such a thing; says how many. */
static unsigned places_of(const struct type *to, const struct type *type, word first, const word *integers, unsigned whole, char **places) {
    unsigned count = 0;
    for (word index = 0; index < first && whole < 6; index++) {
        const struct type *each = type_of(H->plan[type->b + index]);
        if (each->kind == FLOATING) continue;
        char *place = (char *)integers[whole++];
        if (each->kind == POINTER && type_of(each->a)->kind == to->kind && type_of(each->a)->size == to->size) places[count++] = place;
    }
    return count;
}

/* How far a function that is handed in has come, in what it was to read or write: from where it began up to the next
 * argument that points there, or to the end. */
static char *progress(char *from, size_t size, char *const *places, unsigned count, word key) {
    struct region *region = region_at(from);
    if (!region) return NULL;
    char *until = region->base + region->size;
    for (unsigned index = 0; index < count; index++)
        if (places[index] > from && places[index] < until) until = places[index];
    word steps = (word)(until - from) / size;
    switch (one_of(mixed(key, 1), 4)) {
    case 0: return from + steps * size;
    case 1: return from + one_of(mixed(key, 2), steps + 1) * size;
    default: return from + (steps > 0) * size;
    }
}

/* Now and then a function that is handed in sets what it is given the place of: a number, how far it has come, or as many
 * bytes as it is told. */
static void set_out(const struct type *type, const word *integers, unsigned first, word key) {
    unsigned whole = first;
    for (word index = 0; index < type->c; index++) {
        const struct type *each = type_of(H->plan[type->b + index]);
        if (each->kind == FLOATING) continue;
        if (whole >= 6) return;
        char *at = (char *)integers[whole++];
        if (each->kind != POINTER || each->c || !at || one_of(mixed(key, index + 40), 2)) continue;
        const struct type *to = type_of(each->a), *next = index + 1 < type->c ? type_of(H->plan[type->b + index + 1]) : NULL;
        if ((to->kind == VOID || (to->kind == INTEGER && to->size == 1)) && next && next->kind == INTEGER && whole < 6) {
            char content[256];
            word count = cut(integers[whole], next->size * 8);
            if (count > sizeof content || !is_writable(at, count)) continue;
            count = text(mixed(key, index + 50), content, count);
            copy(at, content, count);
            save_bytes("written", index, content, count);
        } else if (to->kind == POINTER && is_writable(at, sizeof(char *))) {
            const struct type *of = type_of(to->a);
            char *place, *places[6];
            unsigned before = places_of(of, type, index, integers, first, places), count = places_of(of, type, type->c, integers, first, places);
            /* It began at an argument that was named before, or else where this one says. */
            copy(&place, before ? (char *)places : at, sizeof place);
            place = progress(place, of->size ? of->size : 1, places, count, mixed(key, index + 60));
            if (place) copy(at, &place, sizeof place), save_number("moved", index, 0);
        } else if (to->kind == INTEGER && to->size > 1 && to->size <= 8 && is_writable(at, to->size)) {
            word value = number(mixed(key, index + 50), to->a, (int)to->b, 0);
            copy(at, &value, to->size);
            save_bytes("written", index, (char *)&value, to->size);
        }
    }
}

/* A function that is handed in, takes numbers and returns memory of no type gives as many bytes as they say. */
static int is_allocator(const struct type *type) {
    const struct type *result = type_of(type->a);
    if (result->kind != POINTER || type_of(result->a)->kind != VOID) return 0;
    for (word index = 0; index < type->c; index++)
        if (type_of(H->plan[type->b + index])->kind == INTEGER) return 1;
    return 0;
}
static char *allocated(const struct type *type, const word *integers, word key) {
    enum { LARGEST = 1 << 20 };
    word size = 1;
    unsigned whole = 0;
    for (word index = 0; index < type->c && whole < 6; index++) {
        const struct type *each = type_of(H->plan[type->b + index]);
        if (each->kind == FLOATING) continue;
        word count = cut(integers[whole++], each->size * 8);
        if (each->kind == INTEGER) size = count < LARGEST && size < LARGEST ? size * count : LARGEST;
    }
    if (size >= LARGEST || H->objects >= MOST_OBJECTS || one_of(mixed(key, 3), 12) == 0) return NULL;
    return object(size + (one_of(mixed(key, 4), 2) ? 256 : 0), (long)type_of(type->a)->a);
}

/* What a function that was handed in answers by choice. */
static word chosen_answer(struct stub *called, const struct type *type, const word *integers, int is_elsewhere) {
    const struct type *result = type_of(type->a);
    word value = 0, key = mixed(called->key, called->manner == SAME_ALWAYS ? 5001 : ++called->calls + 5000);
    set_out(type, integers, (unsigned)is_elsewhere, mixed(key, 2));
    if (result->kind == VOID) return 0;
    if (is_elsewhere) {
        int is_in_call = H->is_in_call;
        build(type->a, (char *)integers[0], key, 3);
        H->is_in_call = is_in_call;
        return integers[0];
    }
    word how;
    chosen(key, &how);
    if (how != 1 && is_allocator(type)) return (word)allocated(type, integers, key);
    int is_nothing = called->manner == NOTHING_ALWAYS && result->kind != POINTER;
    if (how == 1 || (!is_nothing && (result->kind == POINTER || called->manner == SAME_ALWAYS || one_of(mixed(key, 1), 2)))) {
        char room[16] = {0};
        unsigned from = H->recent_from, count = H->recent_count;
        H->recent_from = H->recent_count;
        if (result->size <= 8) build(type->a, room, key, 2);
        H->recent_from = from, H->recent_count = count;
        copy(&value, room, 8);
    } else drew(key, 0, result->size);
    return value;
}

/* Bytes that are told with how many they are; they may be on the stack. */
static void see_bytes_handed(const char *at, word count) {
    enum { MOST_HANDED = 256 };
    if (count > MOST_HANDED) count = MOST_HANDED;
    if (!count || is_untouched(&not_ours, at, count)) return;
    if (__asan_region_is_poisoned((void *)at, count) || !(is_on_stack(at, count) || is_readable(at, count))) return;
    note("bytes", count);
    for (word index = 0; index < count; index++)
        if (is_untouched(&not_ours, at + index, 1)) note("untouched", 0);
        else note("", (unsigned char)at[index]);
}

/* Where the next argument of a kind is. */
struct passed {
    const word *integers;
    const double *reals;
    unsigned whole, real, stacked;
};
static const void *next_argument(struct passed *passed, const struct type *type) {
    if (type->kind == FLOATING && type->a == 80) return NULL;
    if (type->kind == FLOATING && passed->real < REALS_IN_REGISTERS) return &passed->reals[passed->real++];
    if (type->kind != FLOATING && passed->whole < IN_REGISTERS) return &passed->integers[passed->whole++];
    return passed->stacked < ON_STACK ? &passed->integers[IN_REGISTERS + passed->stacked++] : NULL;
}

/* Something that a function that was handed in is given the place of. */
static void see_handed(const struct type *pointer, const char *at) {
    const struct type *to = type_of(pointer->a);
    struct region *region = region_at(at);
    int is_text = to->kind == INTEGER && to->size == 1;
    if (!at) note("null", 0);
    else if (region) {
        note("object", (word)(region - H->regions));
        note("+", (word)(at - region->base));
        if (to->kind == STRING) see(pointer->a, at, NULL, 1);
        if (is_text) see_string(at, 64);
        else if (to->kind != STRING && to->kind != VOID && to->size && is_readable(at, to->size)) see(pointer->a, at, region, 1);
    } else if (to->kind == STRING) see(pointer->a, at, NULL, 1);
    else if (is_text && at >= __executable_start && at < end) note("text", 0), see_string(at, 64);
    else {
        note("elsewhere", 0);
        int is_plain = is_text || to->kind == INTEGER || to->kind == FLOATING || to->kind == ENUMERATION || to->kind == BOOLEAN || (to->kind == RECORD && !to->made);
        if (is_plain && to->size && is_on_stack(at, to->size) && !__asan_region_is_poisoned((void *)at, to->size)) {
            if (is_text) see_string(at, 64);
            else see(pointer->a, at, &not_ours, 1);
        }
    }
}

/* What a function that was handed in is called with, and what it answers. */
static word answer(int bank, unsigned number, const word *integers, const double *reals) {
    struct stub *called = &H->stubs[bank][number];
    const struct type *type = type_of((word)called->type);
    int is_elsewhere = is_put_elsewhere(type_of(type->a));
    struct passed passed = {integers, reals, (unsigned)is_elsewhere, 0, 0};
    note_line("call of stub", number);
    note("", number);
    for (word index = 0; index < type->c; index++) {
        word of = H->plan[type->b + index], value;
        const struct type *each = type_of(of), *next = index + 1 < type->c ? type_of(H->plan[type->b + index + 1]) : NULL;
        /* Where others stand is not known. */
        if (each->kind > POINTER && each->kind != STREAM) break;
        const void *at = next_argument(&passed, each);
        if (!at) break;
        copy(&value, at, sizeof value);
        if (each->kind == FLOATING) {
            mark(OF_TYPE, of);
            note("real", cut(value, each->a));
        } else if (each->kind == POINTER) {
            see_handed(each, (const char *)value);
            const struct type *to = type_of(each->a);
            struct passed behind = passed;
            const void *count = next && next->kind == INTEGER ? next_argument(&behind, next) : NULL;
            if (count && value && (to->kind == VOID || (to->kind == INTEGER && to->size == 1))) {
                word length;
                copy(&length, count, sizeof length);
                see_bytes_handed((const char *)value, cut(length, next->size * 8));
            }
        } else if (each->kind != STREAM) mark(OF_TYPE, of), note("", cut(value, each->size * 8));
    }
    if (++H->events > 10000) stop(ENDLESS);
    if (given_input() && !is_elsewhere) return answer_given(given_answer(number, called->calls++), type, integers);
    save_number("asked", (word)bank, number);
    word value = chosen_answer(called, type, integers, is_elsewhere);
    if (type_of(type->a)->kind != VOID) save_value("answer", is_elsewhere, type->a, is_elsewhere ? (void *)value : &value);
    return value;
}
