/* How a call ends when it does not return: a sanitizer's finding, a signal, `exit`, or too many steps. All come back to
 * the loop over inputs; only what the sanitizer finds within its own functions ends the process. */

void __asan_handle_no_return(void);
void __asan_unpoison_memory_region(void const volatile *, size_t);
const char *__asan_default_options(void) {
    return "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0:detect_leaks=0:"
           "detect_stack_use_after_return=0:quarantine_size_mb=4:max_redzone=64";
}

static _Noreturn void stop(int end) {
    H->end = end;
    if (!H->is_in_call) _exit(97);
    /* The sanitizer still watches the frames that are left. It would ask the system for the stack's bounds. */
    char *from = H->interrupted ? H->interrupted : __builtin_frame_address(0);
    H->interrupted = NULL;
    __asan_unpoison_memory_region(from, (size_t)(H->stack_base - from));
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

#define FOUND(size)                                           \
    void __asan_report_load##size(word at) { (void)at, stop(MEMORY); } \
    void __asan_report_store##size(word at) { (void)at, stop(MEMORY); }
FOUND(1) FOUND(2) FOUND(4) FOUND(8) FOUND(16)
void __asan_report_load_n(word at, word size) { (void)at, (void)size, stop(MEMORY); }
void __asan_report_store_n(word at, word size) { (void)at, (void)size, stop(MEMORY); }

#define UNDEFINED(name, end)                        \
    void __ubsan_handle_##name##_abort(void) { stop(end); } \
    void __ubsan_handle_##name(void) { stop(end); }
UNDEFINED(add_overflow, OVERFLOW) UNDEFINED(sub_overflow, OVERFLOW) UNDEFINED(mul_overflow, OVERFLOW)
UNDEFINED(negate_overflow, OVERFLOW) UNDEFINED(pointer_overflow, MEMORY) UNDEFINED(divrem_overflow, DIVISION)
UNDEFINED(shift_out_of_bounds, SHIFT) UNDEFINED(out_of_bounds, BOUNDS) UNDEFINED(load_invalid_value, BAD_VALUE)
UNDEFINED(float_cast_overflow, BAD_VALUE) UNDEFINED(vla_bound_not_positive, BAD_VALUE)
UNDEFINED(invalid_builtin, BAD_VALUE) UNDEFINED(nonnull_arg, NO_POINTER) UNDEFINED(nonnull_return_v1, NO_POINTER)
UNDEFINED(nullability_arg, NO_POINTER) UNDEFINED(dynamic_type_cache_miss, BAD_VALUE)
void __ubsan_handle_builtin_unreachable(void) { stop(UNREACHABLE); }
void __ubsan_handle_missing_return(void) { stop(UNREACHABLE); }
void __ubsan_handle_type_mismatch_v1_abort(void *data, word at) {
    (void)data, stop(at == 0 ? NO_POINTER : MISALIGNED);
}
void __ubsan_handle_type_mismatch_v1(void *data, word at) { __ubsan_handle_type_mismatch_v1_abort(data, at); }

/* Where the stack ended when a signal came. */
static char *stack_pointer(void *context) { return (char *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RSP]; }

static void on_signal(int signal, siginfo_t *information, void *context) {
    (void)information;
    if (H->is_in_call) H->interrupted = stack_pointer(context);
    switch (signal) {
    case SIGFPE: stop(DIVISION);
    case SIGABRT: stop(ABORTED);
    case SIGILL: case SIGTRAP: stop(UNREACHABLE);
    case SIGVTALRM: case SIGALRM:
        /* A call takes long although it makes no steps, if several ticks of a clock fall into it. */
        if (H->tick_of != H->runs) H->tick_of = H->runs, H->ticks = 0;
        if (!H->is_in_call || ++H->ticks < (signal == SIGALRM ? 3 : 5)) {
            H->interrupted = NULL;
            return;
        }
        H->cost += MOST_COST / (signal == SIGALRM ? 2 : 8);
        stop(ENDLESS);
    default: stop(MEMORY);
    }
}

static void on_fault(int signal, siginfo_t *information, void *context) {
    H->interrupted = stack_pointer(context);
    struct rlimit limit;
    extern char **environ;
    char *top = (char *)environ, *at = information->si_addr;
    getrlimit(RLIMIT_STACK, &limit);
    size_t size = limit.rlim_cur == RLIM_INFINITY ? (size_t)1 << 30 : limit.rlim_cur;
    if (signal == SIGSEGV && at < top - (size - (size >> 3)) && at > top - size - (1 << 20)) stop(ENDLESS);
    stop(MEMORY);
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
    compared(site, 0, left, right, a < b ? -2 : a > b ? 2 : 0);
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
    if (!H->is_exploring || H->reached[number % MOST_MARKS]) return;
    H->reached[number % MOST_MARKS] = 1;
    H->reached_list[H->reached_count++] = (uint16_t)(number % MOST_MARKS);
}
int estrange_branch(int number, int is_true) {
    estrange_mark(number + !is_true);
    return is_true;
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
