/* How a call ends when it does not return: a sanitizer's finding, a signal, `exit`, or too many steps. All come back to
 * the loop over inputs; only what the sanitizer finds within its own functions ends the process. */

void __asan_handle_no_return(void);
void __asan_unpoison_memory_region(void const volatile *, size_t);
void *__asan_region_is_poisoned(void *, size_t);
void *__asan_get_current_fake_stack(void);
void *__asan_addr_is_in_fake_stack(void *, void *, void **, void **);
#define ASAN_OPTIONS                                                                                      \
    "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0:detect_leaks=0:"         \
    "quarantine_size_mb=4:max_redzone=64:detect_stack_use_after_return="
/* Programs that run one input again have this symbol; they look for more. */
extern char estrange_replays[] __attribute__((weak));
const char *__asan_default_options(void) { return estrange_replays ? ASAN_OPTIONS "1" : ASAN_OPTIONS "0"; }

/* The addresses in the code of all calls that are under way, from a frame on. */
static void note_frames(char *frame) {
    char *at = frame;
    while (H->frame_count < MOST_FRAMES && at >= frame && at < H->stack_base && (word)at % sizeof(word) == 0) {
        word both[2];
        copy(both, at, sizeof both);
        H->frames[H->frame_count++] = both[1];
        if ((char *)both[0] <= at) break;
        at = (char *)both[0];
    }
}

static _Noreturn void stop(int end) {
    H->end = end;
    if (!H->is_in_call) _exit(97);
    if (!H->frame_count) note_frames(__builtin_frame_address(0));
    /* The sanitizer still watches the frames that are left. It would ask the system for the stack's bounds. */
    char *from = H->interrupted ? H->interrupted : __builtin_frame_address(0);
    H->interrupted = NULL;
    __asan_unpoison_memory_region(from, (size_t)(H->stack_base - from));
    /* The call is over: a clock that ticks from here on must not jump out of what the sanitizer asks under a lock. */
    H->is_in_call = 0;
    siglongjmp(H->back, 1);
}

/* What cannot be built is no input. */
static _Noreturn void stop_building(void) {
    H->is_in_call = 1;
    stop(ENDLESS);
}

/* In place of the methods of classes of which not all is there. */
static void no_method(void) { stop(ABORTED); }
#define FOUR no_method, no_method, no_method, no_method
void (*const estrange_no_methods[])(void) = {NULL, NULL, FOUR, FOUR, FOUR, FOUR, FOUR, FOUR, FOUR, FOUR};

/* What an access was that the sanitizer stopped, as it tells it itself: by the mark that it has put on the memory. Of the
 * heap and the stack it knows what lies nearest; while it reports, it must not be asked about the stack. */
const char *__asan_locate_address(void *, char *, size_t, void **, size_t *);
void __asan_get_shadow_mapping(size_t *scale, size_t *offset);
static int access_of(char *at, size_t size, int writes, int is_reporting) {
    char name[64];
    void *nearest = NULL;
    size_t room = 0, scale = 3, offset = 0;
    char *bad = size ? __asan_region_is_poisoned(at, size) : at;
    if (!bad) bad = at;
    __asan_get_shadow_mapping(&scale, &offset);
    const unsigned char *mark = (const unsigned char *)(((word)bad >> scale) + offset);
    /* What is there in part is followed by what says why the rest is not. */
    if (*mark < 1 << scale) mark++;
    if (!is_reporting || *mark == 0xfa) __asan_locate_address(bad, name, sizeof name, &nearest, &room);
    int is_before = nearest && bad < (char *)nearest;
    switch (*mark) {
    case 0xfa: return (is_before ? HEAP_UNDERFLOW_READ : HEAP_OVERFLOW_READ) + writes;
    case 0xf1: case 0xf2: case 0xf3: case 0xf4: case 0xca: case 0xcb:
        /* Between variables, the nearest one was meant. */
        return (nearest ? is_before : *mark == 0xf1) ? STACK_UNDERFLOW_READ + writes : STACK_OVERFLOW_READ + writes;
    case 0xf9: return GLOBAL_OVERFLOW_READ + writes;
    case 0xfd: return USE_AFTER_FREE_READ + writes;
    case 0xf5: return USE_AFTER_RETURN_READ + writes;
    case 0xf8: return USE_AFTER_SCOPE_READ + writes;
    case 0xfc: return CONTAINER_OVERFLOW;
    default: return (word)at < 4096 ? NULL_POINTER : WILD_READ + writes;
    }
}
static _Noreturn void stop_access(char *at, size_t size, int writes) { stop(access_of(at, size, writes, 0)); }

#define FOUND(size)                                                                          \
    void __asan_report_load##size(word at) { stop_access((char *)at, size, 0); }              \
    void __asan_report_store##size(word at) { stop_access((char *)at, size, 1); }
FOUND(1) FOUND(2) FOUND(4) FOUND(8) FOUND(16)
void __asan_report_load_n(word at, word size) { stop_access((char *)at, size, 0); }
void __asan_report_store_n(word at, word size) { stop_access((char *)at, size, 1); }

/* What the sanitizer finds within its own functions: the process ends, and the last that it does is to tell of that. */
int __asan_get_report_access_type(void);
void *__asan_get_report_address(void);
void *__asan_get_report_bp(void);
size_t __asan_get_report_access_size(void);
const char *__asan_get_report_description(void);
static void tell_end(int end, word hash);
void __asan_on_error(void) {
    if (!H || !H->is_in_call) return;
    static const struct { const char *said; int end; } known[] = {
        {"double-free", DOUBLE_FREE}, {"bad-free", INVALID_FREE}, {"bad-malloc", INVALID_FREE}, {"mismatch", MISMATCHED_FREE},
        {"overlap", OVERLAP}, {"negative-size", NEGATIVE_SIZE}};
    const char *said = __asan_get_report_description();
    int end = 0;
    for (unsigned index = 0; said && index < sizeof known / sizeof *known; index++)
        if (strstr(said, known[index].said)) end = known[index].end;
    if (!end) end = access_of(__asan_get_report_address(), __asan_get_report_access_size(), __asan_get_report_access_type() != 0, 1);
    H->frame_count = 0;
    note_frames(__asan_get_report_bp());
    H->end = end;
    tell_end(end, 0);
}

/* What a sanitizer finds that the code itself checks, with the place in the code. */
struct place {
    const char *file;
    uint32_t line, column;
};
struct value_type {
    uint16_t kind, about;
    char name[];
};
static _Noreturn void stop_at(const struct place *place, int end) {
    H->line = place->line, H->column = place->column;
    stop(end);
}
#define UNDEFINED(name, ...)                                                                        \
    void __ubsan_handle_##name##_abort(const struct place *place, word a, word b) { (void)a, (void)b, stop_at(place, __VA_ARGS__); } \
    void __ubsan_handle_##name(const struct place *place, word a, word b) { (void)a, (void)b, stop_at(place, __VA_ARGS__); }
UNDEFINED(add_overflow, ADD_OVERFLOW) UNDEFINED(sub_overflow, SUBTRACT_OVERFLOW) UNDEFINED(mul_overflow, MULTIPLY_OVERFLOW)
UNDEFINED(negate_overflow, NEGATE_OVERFLOW) UNDEFINED(out_of_bounds, INDEX_OUT_OF_BOUNDS) UNDEFINED(float_cast_overflow, FLOAT_CAST)
UNDEFINED(vla_bound_not_positive, ARRAY_LENGTH) UNDEFINED(invalid_builtin, INVALID_BUILTIN) UNDEFINED(nonnull_arg, NULL_ARGUMENT)
UNDEFINED(nullability_arg, NULL_ARGUMENT) UNDEFINED(dynamic_type_cache_miss, INVALID_ENUM)
UNDEFINED(builtin_unreachable, UNREACHABLE) UNDEFINED(missing_return, MISSING_RETURN)
/* An address that is made from none is none. */
UNDEFINED(pointer_overflow, a == 0 ? NULL_POINTER : POINTER_OVERFLOW)

/* How wide a type is, and whether it is signed. */
static word bits_of(const struct value_type *type) { return (word)1 << (type->about >> 1); }
static int64_t signed_value(const struct value_type *type, word value) {
    word bits = bits_of(type);
    if (bits > 64) copy(&value, (void *)value, sizeof value), bits = 64;
    if (bits < 64) value <<= 64 - bits, value = type->about & 1 ? (word)((int64_t)value >> (64 - bits)) : value >> (64 - bits);
    return (int64_t)value;
}
struct typed_place {
    struct place place;
    const struct value_type *type, *other;
};
/* The smallest number by -1, or any number by zero. */
static int end_of_division(const struct typed_place *at, word by) {
    return at->type->kind == 0 && signed_value(at->type, by) == -1 ? DIVISION_OVERFLOW : DIVISION_BY_ZERO;
}
static int end_of_shift(const struct typed_place *at, word by) {
    int64_t steps = signed_value(at->other, by);
    return steps < 0 || (word)steps >= bits_of(at->type) ? SHIFT_EXPONENT : SHIFT_BASE;
}
static int end_of_load(const struct typed_place *at) {
    static const char *const names[] = {"'bool'", "'_Bool'", "'BOOL'"};
    for (int index = 0; index < 3; index++)
        if (strcmp(at->type->name, names[index]) == 0) return INVALID_BOOL;
    return INVALID_ENUM;
}
UNDEFINED(divrem_overflow, end_of_division((const struct typed_place *)place, b))
UNDEFINED(shift_out_of_bounds, end_of_shift((const struct typed_place *)place, b))
UNDEFINED(load_invalid_value, end_of_load((const struct typed_place *)place))
struct mismatch {
    struct place place;
    const struct value_type *type;
    unsigned char alignment;
};
UNDEFINED(type_mismatch_v1, a == 0 ? NULL_POINTER : a & (((word)1 << ((const struct mismatch *)place)->alignment) - 1) ? MISALIGNED : OBJECT_SIZE)
/* What says where a function promised something comes first, what says where it returns second. */
void __ubsan_handle_nonnull_return_v1_abort(void *promise, const struct place *place) { (void)promise, stop_at(place, NULL_RETURN); }
void __ubsan_handle_nonnull_return_v1(void *promise, const struct place *place) { (void)promise, stop_at(place, NULL_RETURN); }

/* Where the stack ended when a signal came. */
static char *stack_pointer(void *context) { return (char *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RSP]; }

/* What was under way when a signal came. */
static void note_interrupted(void *context) {
    const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    H->frame_count = 0;
    /* As if it were about to return there. */
    H->frames[H->frame_count++] = (word)registers[REG_RIP] + 1;
    note_frames((char *)registers[REG_RBP]);
}

static void on_signal(int signal, siginfo_t *information, void *context) {
    (void)information;
    if (H->is_in_call) H->interrupted = stack_pointer(context);
    if (H->is_in_call) note_interrupted(context);
    switch (signal) {
    case SIGFPE: stop(DIVISION_BY_ZERO);
    case SIGABRT: stop(ABORTED);
    case SIGILL: case SIGTRAP: stop(UNREACHABLE);
    case SIGVTALRM: case SIGALRM: {
        /* A call takes long although it makes no steps, if several ticks of a clock fall into it. */
        if (H->tick_of != H->runs) H->tick_of = H->runs, H->ticks = 0;
        int is_overdue = H->is_in_call && ++H->ticks >= (signal == SIGALRM ? 3 : 5);
        if (is_overdue) H->cost += MOST_COST / (signal == SIGALRM ? 2 : 8);
        if (is_overdue && !H->is_allocating) stop(ENDLESS);
        H->is_overdue = (char)is_overdue;
        H->interrupted = NULL;
        H->frame_count = 0;
        return;
    }
    default: stop(WILD_READ);
    }
}

static void on_fault(int signal, siginfo_t *information, void *context) {
    enum { WRITES = 2 };
    H->interrupted = stack_pointer(context);
    note_interrupted(context);
    struct rlimit limit;
    extern char **environ;
    char *top = (char *)environ, *at = information->si_addr;
    getrlimit(RLIMIT_STACK, &limit);
    size_t size = limit.rlim_cur == RLIM_INFINITY ? (size_t)1 << 30 : limit.rlim_cur;
    if (signal == SIGSEGV && at < top - (size - (size >> 3)) && at > top - size - (1 << 20)) stop(STACK_EXHAUSTED);
    if ((word)at < 4096 && signal == SIGSEGV && information->si_code == SEGV_MAPERR) stop(NULL_POINTER);
    stop(WILD_READ + !!(((ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & WRITES));
}

int __real_sigaction(int, const struct sigaction *, struct sigaction *);
int __real_setitimer(__itimer_which_t, const struct itimerval *, struct itimerval *);
static void catch_faults(void) {
    sigaltstack(&(stack_t){.ss_sp = H->signal_stack, .ss_size = sizeof H->signal_stack}, NULL);
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_NODEFER | SA_ONSTACK | SA_SIGINFO | SA_RESTART};
    const int signals[] = {SIGFPE, SIGABRT, SIGILL, SIGTRAP, SIGVTALRM, SIGALRM, SIGSYS, SIGXFSZ, SIGPIPE};
    for (unsigned index = 0; index < sizeof signals / sizeof *signals; index++) __real_sigaction(signals[index], &action, NULL);
    struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_NODEFER | SA_ONSTACK | SA_SIGINFO};
    __real_sigaction(SIGSEGV, &fault, NULL);
    __real_sigaction(SIGBUS, &fault, NULL);
    /* Time of the processor, and of the clock for what only waits. */
    const struct timeval often = {0, 50000}, seldom = {1, 0};
    __real_setitimer(ITIMER_VIRTUAL, &(struct itimerval){often, often}, NULL);
    __real_setitimer(ITIMER_REAL, &(struct itimerval){seldom, seldom}, NULL);
}

/* Each block of code tells that it runs: this bounds a call in steps, which are the same on every machine. */
void __sanitizer_cov_trace_pc(void) {
    if (!H || !H->is_in_call) return;
    H->steps++;
    if (H->left-- == 0) stop(ENDLESS);
}

/* Comparisons tell what they compare: what an input would have to be. How the two sides lie to each other is something
 * to be reached, too: an input just beside a bound tells it from the next one. */
static int is_own(word site) { return site >= H->code_from && site < H->code_to; }
static unsigned char *relation(unsigned char *relations, word site, int own) {
    word number = mixed(site, 3) % OWN_RELATIONS;
    return &relations[own ? number : OWN_RELATIONS + number % (MOST_RELATIONS - OWN_RELATIONS)];
}
enum { EQUAL = 4 };
static void related(word site, word part, int64_t difference) {
    unsigned char how = difference < -1 ? 1 : difference == -1 ? 2 : difference == 0 ? EQUAL : difference == 1 ? 8 : 16;
    *relation(H->run_relations, site + part, is_own(site)) |= how;
    H->path = (H->path ^ (site + part) * 32 ^ how) * 0x9E3779B97F4A7C15u;
    unsigned char *count = &H->run_counts[mixed(site + part, how) % MOST_COUNTS];
    *count += *count < 255 && !H->is_second_call;
}
static void compared(word site, word part, word a, word b, int64_t difference) {
    if (!H || !H->is_in_call || !H->is_exploring) return;
    if (site) related(site, part, difference);
    if (a == b || H->pair_count >= MOST_PAIRS) return;
    for (unsigned index = 0; index < H->pair_count; index++)
        if (H->pairs[index].sides[0] == a && H->pairs[index].sides[1] == b) return;
    H->pairs[H->pair_count++] = (struct pair){{a, b}, is_own(site) ? site + part : 0};
}
#define SITE ((word)__builtin_return_address(0))
#define COMPARED(name, type, signed_type) \
    void __sanitizer_cov_trace_##name(type a, type b) { compared(SITE, 0, a, b, (int64_t)(signed_type)a - (int64_t)(signed_type)b); }
COMPARED(cmp1, uint8_t, int8_t) COMPARED(cmp2, uint16_t, int16_t) COMPARED(cmp4, uint32_t, int32_t)
COMPARED(const_cmp1, uint8_t, int8_t) COMPARED(const_cmp2, uint16_t, int16_t) COMPARED(const_cmp4, uint32_t, int32_t)
void __sanitizer_cov_trace_cmp8(word a, word b) { compared(SITE, 0, a, b, (int64_t)(a - b)); }
void __sanitizer_cov_trace_const_cmp8(word a, word b) { compared(SITE, 0, a, b, (int64_t)(a - b)); }
static void compared_reals(word site, double a, double b) {
    word left, right;
    copy(&left, &a, 8), copy(&right, &b, 8);
    /* Where one is no number, they have no order. */
    compared(site, 0, left, right, a < b ? -2 : a > b ? 2 : a == b ? 0 : 1);
}
void __sanitizer_cov_trace_cmpf(float a, float b) { compared_reals(SITE, a, b); }
void __sanitizer_cov_trace_cmpd(double a, double b) { compared_reals(SITE, a, b); }
void __sanitizer_cov_trace_switch(word value, word *cases) {
    word site = SITE;
    for (word index = 0; index < cases[0] && index < 64; index++)
        compared(site, mixed(index, 1), value, cases[index + 2], (int64_t)(value - cases[index + 2]));
}

/* The copy of the function that tells what is reached. */
void estrange_mark(int number) {
    if (!(H->is_exploring || H->is_marking) || H->reached[number % MOST_MARKS]) return;
    H->reached[number % MOST_MARKS] = 1;
    H->reached_list[H->reached_count++] = (uint16_t)(number % MOST_MARKS);
}
int estrange_branch(int number, int is_true) {
    estrange_mark(number + !is_true);
    return is_true;
}

/* Notes what a run reached that was compared: by a call that returned, or by any. */
static void note_marks(unsigned char *marks, int has_returned) {
    for (unsigned index = 0; index < H->reached_count; index++) {
        marks[H->reached_list[index]] |= has_returned ? 3 : 1;
        H->reached[H->reached_list[index]] = 0;
    }
    H->reached_count = 0;
}

/* Notes how often each relation was met in a run that returned, roughly; says whether that is new. So a text that fits
 * by one more character is worth keeping, although no other code is reached. */
static int take_counts(int has_returned) {
    int is_new = 0;
    for (unsigned from = 0; from < MOST_COUNTS; from += sizeof(word)) {
        if (!*(word *)&H->run_counts[from]) continue;
        for (unsigned index = from; index < from + sizeof(word); index++) {
            unsigned count = H->run_counts[index];
            if (!count) continue;
            H->run_counts[index] = 0;
            if (!has_returned) continue;
            unsigned rank = count <= 12 ? count - 1 : count <= 16 ? 12 : count <= 24 ? 13 : count <= 48 ? 14 : 15;
            is_new |= !(H->state->counts[index] >> rank & 1);
            H->state->counts[index] |= (uint16_t)(1 << rank);
        }
    }
    return is_new;
}

/* Notes what was reached, by a call that returned or by any; says whether some of it is new: in the function itself, in
 * what it calls, or only that something was met more often. What two sides of a comparison were is new also if the call
 * came to another result: what is seen there may be hidden behind this one. */
enum { IN_HELPERS = 1, IN_ITSELF = 2, MORE_OFTEN = 4 };
static int take_marks(int has_returned, unsigned outcome) {
    int is_new = 0;
    unsigned char bits = has_returned ? 3 : 1;
    for (unsigned index = 0; index < H->reached_count; index++) {
        unsigned number = H->reached_list[index];
        if ((H->state->marks[number] & bits) != bits) is_new = IN_ITSELF;
        H->state->returned += bits == 3 && !(H->state->marks[number] & 2);
        H->state->marks[number] |= bits;
        H->reached[number] = 0;
    }
    H->reached_count = 0;
    word *known = (word *)H->state->relations[outcome], *now = (word *)H->run_relations;
    for (unsigned index = 0; index < MOST_RELATIONS / sizeof(word); index++) {
        if (!now[index]) continue;
        if (has_returned && now[index] & ~known[index]) {
            is_new |= index < OWN_RELATIONS / sizeof(word) ? IN_ITSELF : IN_HELPERS;
            known[index] |= now[index];
        }
        now[index] = 0;
    }
    return take_counts(has_returned) ? is_new | MORE_OFTEN : is_new;
}
