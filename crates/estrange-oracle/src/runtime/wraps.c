/* What a function asks of the system: memory, the clock, chance, files, other processes. Each is answered the same in
 * every run, and told where it would not be seen otherwise. The linker puts these in place of the library's. */

void *__real_realloc(void *, size_t);
void *__real_memcpy(void *, const void *, size_t);
void *__real_memmove(void *, const void *, size_t);
void *__real_memset(void *, int, size_t);
int __real_memcmp(const void *, const void *, size_t);
int __real_fclose(FILE *);
int __real_close(int);
FILE *__real_fopen(const char *, const char *);
int __real_unlink(const char *);
int __real_rename(const char *, const char *);
int __real_mkdir(const char *, mode_t);
int __real_rmdir(const char *);
int __real_open(const char *, int, ...);
_Noreturn void __real__exit(int);

static void told(const char *what, word value) {
    note_line(what, value);
    note(what, value);
    if (++H->events > 10000) stop(ENDLESS);
}
static void told_text(const char *what, const char *text) {
    note_line(what, 0);
    for (int index = 0; index < 256 && text[index]; index++) note("", (unsigned char)text[index]);
    H->touched_files = 1;
}

/* What the program makes for itself before the first call: it is set back before each. */
enum { MOST_BLOCKS = 1024, LARGEST_BLOCK = 1 << 16 };
static struct block {
    char *base;
    size_t size;
} blocks[MOST_BLOCKS];
static unsigned block_count;
static void *early(char *base, size_t size) {
    if (base && size <= LARGEST_BLOCK && block_count < MOST_BLOCKS) blocks[block_count++] = (struct block){base, size};
    return base;
}
static void forget_early(const void *base) {
    for (unsigned index = block_count; index-- > 0;)
        if (blocks[index].base == base) { blocks[index] = blocks[--block_count]; return; }
}
static void save_blocks(void) {
    size_t all = 0;
    for (unsigned index = 0; index < block_count; index++) all += blocks[index].size;
    if (!all) return;
    H->saved_blocks = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *to = H->saved_blocks;
    for (unsigned index = 0; index < block_count; to += blocks[index++].size) copy(to, blocks[index].base, blocks[index].size);
}
static void set_back_blocks(void) {
    const char *from = H->saved_blocks;
    for (unsigned index = 0; from && index < block_count; from += blocks[index++].size) copy(blocks[index].base, from, blocks[index].size);
}
static int is_early(const void *base) {
    for (unsigned index = 0; index < block_count; index++)
        if (blocks[index].base == base) return 1;
    return 0;
}

/* The library's allocator, at the end of which a call ends that took too long. */
static void is_done_allocating(void) {
    H->is_allocating = 0;
    if (H->is_overdue) H->is_overdue = 0, stop(ENDLESS);
}
static void *allocate(size_t size) {
    H->is_allocating = 1;
    void *base = __real_malloc(size);
    is_done_allocating();
    return base;
}
static void give_back(void *base) {
    H->is_allocating = 1;
    __real_free(base);
    is_done_allocating();
}

/* Memory. What is given out is filled, so that what was never written shows; that takes steps, too. */
static void *given(size_t size) {
    if (!H) return early(__real_malloc(size), size);
    if (!H->is_in_call) return __real_malloc(size);
    if (size > MOST_IN_USE || H->in_use + size > MOST_IN_USE || H->region_count == MOST_REGIONS) { errno = ENOMEM; return NULL; }
    enum { BYTES_A_STEP = 256 };
    word steps = size / BYTES_A_STEP;
    H->steps += steps;
    if (H->left < steps) stop(ENDLESS);
    H->left -= steps;
    char *base = allocate(size);
    if (!base) return NULL;
    fill(base, H->fill, size);
    add_region(base, size, -1, 0);
    H->in_use += size;
    H->cost += size / 16;
    if (estrange_replays) {
        word *taken_at = H->regions[H->region_count - 1].taken_at;
        note_frames(__builtin_frame_address(0));
        copy(taken_at, H->frames, TAKEN_AT * sizeof *taken_at);
        H->frame_count = 0;
    }
    return base;
}
/* Now and then there is none, so that code which is ready for that is reached. */
static int is_none_left(void) {
    enum { CALLS = 8, TIMES = 3, MOST_TIMES = 16 };
    if (!H || !H->is_in_call) return 0;
    if (given_input()) return is_given_missing(H->allocations++);
    if (H->allocations++ == 0) H->is_memory_short = one_of(650, CALLS) == 0;
    int is_none = H->is_memory_short && H->allocations <= MOST_TIMES && one_of(mixed(H->allocations, 651), TIMES) == 0;
    if (is_none) save_number("missing", 0, H->allocations - 1);
    return is_none;
}
void *__wrap_malloc(size_t size) {
    if (!is_none_left()) return given(size);
    errno = ENOMEM;
    return NULL;
}
void *__wrap_calloc(size_t count, size_t size) {
    size_t all;
    if (__builtin_mul_overflow(count, size, &all)) { errno = ENOMEM; return NULL; }
    char *base = __wrap_malloc(all);
    if (base) fill(base, 0, all);
    return base;
}
static struct region *owned(void *base) {
    struct region *region = region_at(base);
    if (!region || region->base != base) {
        /* A region of no bytes, or one that ends where this begins. */
        for (unsigned index = H->region_count; index-- > 0;)
            if (H->regions[index].base == base && H->regions[index].is_live) return &H->regions[index];
    }
    return region && region->base == base && region->is_live ? region : NULL;
}
static int is_in_image(const void *at) { return (char *)at >= __executable_start && (char *)at < end; }
/* What is freed and was not given out, or not as what it is freed as. */
static _Noreturn void stop_freeing(const void *base) {
    for (unsigned index = H->region_count; index-- > 0;)
        if (H->regions[index].base == base && !H->regions[index].is_live) stop(DOUBLE_FREE);
    stop(INVALID_FREE);
}
static void release(void *base, int made_by) {
    if (!base) return;
    if (!H) forget_early(base);
    if (!H || !H->is_in_call) { __real_free(base); return; }
    struct region *region = owned(base);
    if (!region) {
        if (is_early(base)) return;
        if (is_in_image(base) || region_at(base) || !__sanitizer_get_ownership(base)) stop_freeing(base);
        give_back(base);
        return;
    }
    if (is_in_image(base)) stop(INVALID_FREE);
    if (region->made_by != BY_HARNESS && region->made_by != made_by) stop(MISMATCHED_FREE);
    region->is_live = 0;
    H->in_use -= region->size;
    give_back(base);
}
void __wrap_free(void *base) { release(base, BY_MALLOC); }
void *__wrap_realloc(void *base, size_t size) {
    if (!H || !H->is_in_call) return __real_realloc(base, size);
    if (!base) return __wrap_malloc(size);
    struct region *region = owned(base);
    if (!region) stop_freeing(base);
    if (is_in_image(base)) stop(INVALID_FREE);
    if (region->made_by != BY_HARNESS && region->made_by != BY_MALLOC) stop(MISMATCHED_FREE);
    size_t before = region->size;
    long type = region->type;
    if (size == 0) { __wrap_free(base); return NULL; }
    char *made = __wrap_malloc(size);
    if (!made) return NULL;
    copy(made, base, before < size ? before : size);
    H->regions[H->region_count - 1].type = type;
    __wrap_free(base);
    return made;
}

/* The same for C++, which throws when there is none. That never happens by choice: how often strings and vectors ask is
 * not the function's to say. */
__attribute__((weak, noreturn)) void _ZSt17__throw_bad_allocv(void);
static void *made(int made_by, size_t size) {
    void *base = given(size ? size : 1);
    if (base && H && H->is_in_call) H->regions[H->region_count - 1].made_by = (char)made_by;
    return base;
}
static void *made_new(int made_by, size_t size) {
    void *base = made(made_by, size);
    if (!base && _ZSt17__throw_bad_allocv) _ZSt17__throw_bad_allocv();
    if (!base) stop(ABORTED);
    return base;
}
void *__wrap__Znwm(size_t size) { return made_new(BY_NEW, size); }
void *__wrap__Znam(size_t size) { return made_new(BY_NEW_ARRAY, size); }
void *__wrap__ZnwmRKSt9nothrow_t(size_t size, const void *none) { (void)none; return made(BY_NEW, size); }
void *__wrap__ZnamRKSt9nothrow_t(size_t size, const void *none) { (void)none; return made(BY_NEW_ARRAY, size); }
void __wrap__ZdlPv(void *base) { release(base, BY_NEW); }
void __wrap__ZdaPv(void *base) { release(base, BY_NEW_ARRAY); }
void __wrap__ZdlPvm(void *base, size_t size) { (void)size; release(base, BY_NEW); }
void __wrap__ZdaPvm(void *base, size_t size) { (void)size; release(base, BY_NEW_ARRAY); }
void __wrap__ZdlPvRKSt9nothrow_t(void *base, const void *none) { (void)none; release(base, BY_NEW); }
void __wrap__ZdaPvRKSt9nothrow_t(void *base, const void *none) { (void)none; release(base, BY_NEW_ARRAY); }

/* A number that is thrown; its type says by one letter what it is. */
static void tell_thrown(const void *thrown, void *const *type) {
    static const char letters[] = "bcahstijlmxyfd";
    static const unsigned char sizes[] = {1, 1, 1, 1, 2, 2, 4, 4, 8, 8, 8, 8, 4, 8};
    const char *name = type[1], *letter = name[0] && !name[1] ? strchr(letters, name[0]) : NULL;
    word value = 0;
    if (!letter) return;
    copy(&value, thrown, sizes[letter - letters]);
    note_line("thrown", 0);
    note("", value);
}
/* An exception leaves frames that the sanitizer still watches. */
__attribute__((weak)) void __real___cxa_throw(void *, void *, void *);
void __wrap___cxa_throw(void *thrown, void *type, void *end) {
    __asan_handle_no_return();
    if (H && H->is_in_call) tell_thrown(thrown, type);
    __real___cxa_throw(thrown, type, end);
    __builtin_unreachable();
}
__attribute__((weak)) void __real___cxa_rethrow(void);
void __wrap___cxa_rethrow(void) {
    __asan_handle_no_return();
    __real___cxa_rethrow();
    __builtin_unreachable();
}
/* What has an end is ended with the process, if at all. */
int __wrap___cxa_atexit(void (*end)(void *), void *of, void *in) { (void)end, (void)of, (void)in; return 0; }

/* What a call threw: its class, if it is of the library, and what it says. */
void estrange_threw(const char *type, const char *what) {
    __asan_handle_no_return();
    H->end = THREW;
    note_line("threw", 0);
    for (int index = 0; index < 64 && type[index]; index++) note("", (unsigned char)type[index]);
    note("what", 0);
    for (int index = 0; index < 512 && what && what[index]; index++) note("", (unsigned char)what[index]);
}

/* Functions on memory and texts, whose faults the sanitizer could not be brought back from. */
static void must(const void *at, size_t size, int writes) {
    if (H && H->is_in_call && size) {
        if (!at) stop(NULL_ARGUMENT);
        if ((int64_t)size < 0) stop(NEGATIVE_SIZE);
        if ((word)at >> 47) stop(WILD_READ + writes);
        /* More than there can be is out of bounds; the sanitizer would look at all of it first. */
        size_t some = size < 4 * MOST_IN_USE ? size : 4 * MOST_IN_USE;
        if (__asan_region_is_poisoned((void *)at, some) || some < size) stop_access((char *)at, some, writes);
    }
}
static void must_read(const void *at, size_t size) { must(at, size, 0); }
static void must_write(void *at, size_t size) { must(at, size, 1); }
static void must_be_apart(const char *to, const char *from, size_t size) {
    if (H && H->is_in_call && to != from && to < from + size && from < to + size) stop(OVERLAP);
}
static size_t must_text(const char *at, size_t most) {
    size_t length = 0;
    for (; length < most; length++) {
        must_read(at + length, 1);
        if (!at[length]) break;
    }
    return length;
}
void *__wrap_memcpy(void *to, const void *from, size_t size) {
    if (!H || !H->is_in_call) return __real_memmove(to, from, size);
    must_write(to, size), must_read(from, size);
    must_be_apart(to, from, size);
    return __real_memmove(to, from, size);
}
void *__wrap_memmove(void *to, const void *from, size_t size) {
    must_write(to, size), must_read(from, size);
    return __real_memmove(to, from, size);
}
void *__wrap_memset(void *to, int value, size_t size) {
    must_write(to, size);
    return __real_memset(to, value, size);
}
int __wrap_memcmp(const void *a, const void *b, size_t size) {
    const unsigned char *left = a, *right = b;
    for (size_t index = 0; index < size; index++) {
        must_read(left + index, 1), must_read(right + index, 1);
        compared(SITE, 0, left[index], right[index], left[index] - right[index]);
        if (left[index] != right[index]) return left[index] < right[index] ? -1 : 1;
    }
    return 0;
}
/* What clang calls in place of these. */
void *__asan_memcpy(void *to, const void *from, size_t size) { return __wrap_memcpy(to, from, size); }
void *__asan_memmove(void *to, const void *from, size_t size) { return __wrap_memmove(to, from, size); }
void *__asan_memset(void *to, int value, size_t size) { return __wrap_memset(to, value, size); }
size_t __wrap_strlen(const char *at) { return must_text(at, SIZE_MAX); }
static int compare_texts(word site, const char *a, const char *b, size_t most, int folds) {
    for (size_t index = 0; index < most; index++) {
        must_read(a + index, 1), must_read(b + index, 1);
        int left = (unsigned char)a[index], right = (unsigned char)b[index];
        if (folds && left >= 'A' && left <= 'Z') left += 32;
        if (folds && right >= 'A' && right <= 'Z') right += 32;
        compared(site, 0, (unsigned char)a[index], (unsigned char)b[index], left - right);
        if (left != right) return left < right ? -1 : 1;
        if (!left) break;
    }
    return 0;
}
int __wrap_strcmp(const char *a, const char *b) { return compare_texts(SITE, a, b, SIZE_MAX, 0); }
int __wrap_strncmp(const char *a, const char *b, size_t most) { return compare_texts(SITE, a, b, most, 0); }
int __wrap_strcasecmp(const char *a, const char *b) { return compare_texts(SITE, a, b, SIZE_MAX, 1); }
int __wrap_strncasecmp(const char *a, const char *b, size_t most) { return compare_texts(SITE, a, b, most, 1); }
char *__wrap_strcpy(char *to, const char *from) {
    size_t size = must_text(from, SIZE_MAX) + 1;
    must_be_apart(to, from, size);
    must_write(to, size);
    return __real_memmove(to, from, size);
}
char *__wrap_strncpy(char *to, const char *from, size_t size) {
    size_t length = must_text(from, size);
    must_be_apart(to, from, length < size ? length + 1 : size);
    must_write(to, size);
    __real_memmove(to, from, length);
    fill(to + length, 0, size - length);
    return to;
}
char *__wrap_strcat(char *to, const char *from) {
    __wrap_strcpy(to + must_text(to, SIZE_MAX), from);
    return to;
}
char *__wrap_strncat(char *to, const char *from, size_t most) {
    size_t length = must_text(from, most);
    char *end_of = to + must_text(to, SIZE_MAX);
    must_be_apart(end_of, from, length + 1);
    must_write(end_of, length + 1);
    copy(end_of, from, length);
    end_of[length] = 0;
    return to;
}
/* Text that is made by a pattern: how long it gets is known before it is written. */
int __real_vsnprintf(char *, size_t, const char *, va_list);
int __wrap_vsnprintf(char *to, size_t size, const char *pattern, va_list list) {
    va_list again;
    va_copy(again, list);
    int length = H && H->is_in_call ? __real_vsnprintf(NULL, 0, pattern, again) : -1;
    va_end(again);
    if (length >= 0 && size) must_write(to, (size_t)length < size ? (size_t)length + 1 : size);
    return __real_vsnprintf(to, size, pattern, list);
}
/* More than a text can be, and no more than a number can say. */
enum { ANY_LENGTH = 0x7fffffff };
int __wrap_vsprintf(char *to, const char *pattern, va_list list) { return __wrap_vsnprintf(to, ANY_LENGTH, pattern, list); }
int __wrap_snprintf(char *to, size_t size, const char *pattern, ...) {
    va_list list;
    va_start(list, pattern);
    int length = __wrap_vsnprintf(to, size, pattern, list);
    va_end(list);
    return length;
}
int __wrap_sprintf(char *to, const char *pattern, ...) {
    va_list list;
    va_start(list, pattern);
    int length = __wrap_vsnprintf(to, ANY_LENGTH, pattern, list);
    va_end(list);
    return length;
}
char *__wrap_strchr(const char *at, int wanted) {
    for (;; at++) {
        must_read(at, 1);
        if (*at == (char)wanted) return (char *)at;
        if (!*at) return NULL;
    }
}
char *__wrap_strrchr(const char *at, int wanted) {
    char *last = NULL;
    for (;; at++) {
        must_read(at, 1);
        if (*at == (char)wanted) last = (char *)at;
        if (!*at) return last;
    }
}
char *__wrap_strdup(const char *at) {
    size_t size = must_text(at, SIZE_MAX) + 1;
    char *made = __wrap_malloc(size);
    if (made) copy(made, at, size);
    return made;
}

/* Ends. */
void __wrap_exit(int code) { if (!H->is_in_call) _exit(code); told("exit", (word)code), stop(EXITED); }
void __wrap__exit(int code) { if (!H->is_in_call) { __real__exit(code); } told("exit", (word)code), stop(EXITED); }
void __wrap_abort(void) { stop(ABORTED); }
void __wrap___assert_fail(const char *a, const char *b, unsigned c, const char *d) { (void)a, (void)b, (void)c, (void)d, stop(ABORTED); }

/* Time and chance. */
time_t __wrap_time(time_t *to) {
    time_t now = 1500000000 + (time_t)++H->clock;
    if (to) *to = now;
    return now;
}
clock_t __wrap_clock(void) { return (clock_t)(1000 * ++H->clock); }
int __wrap_gettimeofday(struct timeval *to, void *zone) {
    (void)zone;
    if (to) *to = (struct timeval){1500000000 + (time_t)++H->clock, 250000};
    return 0;
}
int __wrap_clock_gettime(clockid_t clock, struct timespec *to) {
    (void)clock;
    if (to) *to = (struct timespec){1500000000 + (time_t)++H->clock, 250000000};
    return 0;
}
int __wrap_rand(void) { return (int)(mixed(H->random, ++H->clock) >> 33); }
long __wrap_random(void) { return (long)(mixed(H->random, ++H->clock) >> 33); }
void __wrap_srand(unsigned seed) { told("srand", seed), H->random = seed; }
void __wrap_srandom(unsigned seed) { told("srandom", seed), H->random = seed; }
int __wrap_getpid(void) { return 4242; }
/* What a name stands for in the environment is the input's to say. */
char *__wrap_getenv(const char *name) {
    if (!H || !H->is_in_call) return NULL;
    char content[64];
    const char *from = content;
    word key = 660, count;
    for (size_t length = must_text(name, SIZE_MAX), index = 0; index < length; index++) key = mixed(key, (unsigned char)name[index]);
    if (given_input()) {
        word at = given_variable(name);
        if (!at) return NULL;
        count = H->plan[at] + 1, from = words_at(at + 1);
    } else {
        if (one_of(key, 2) || H->region_count == MOST_REGIONS) return NULL;
        count = text(mixed(key, 1), content, sizeof content - 1);
        content[count++] = 0;
        save_bytes("variable", 0, name, strlen(name));
        save_bytes("value", 0, content, count - 1);
    }
    char *value = __real_malloc(count);
    if (!value) return NULL;
    copy(value, from, count);
    add_region(value, count, -1, 0);
    return value;
}
char *__wrap_secure_getenv(const char *name) { return __wrap_getenv(name); }
ssize_t __wrap_getrandom(void *to, size_t size, unsigned flags) {
    (void)flags;
    must_write(to, size);
    for (size_t index = 0; index < size; index++) ((char *)to)[index] = (char)mixed(H->random, ++H->clock);
    return (ssize_t)size;
}
unsigned __wrap_sleep(unsigned seconds) { told("sleep", seconds); return 0; }
int __wrap_usleep(unsigned time) { told("usleep", time); return 0; }
int __wrap_nanosleep(const struct timespec *time, struct timespec *left) {
    must_read(time, sizeof *time);
    told("nanosleep", (word)time->tv_sec * 1000000000 + (word)time->tv_nsec);
    if (left) *left = (struct timespec){0, 0};
    return 0;
}

/* Other processes, and what would take the harness its own signals and clocks. */
#define REFUSED(name) long __wrap_##name(void) { told(#name, 0); errno = EPERM; return -1; }
REFUSED(fork) REFUSED(vfork) REFUSED(system) REFUSED(execv) REFUSED(execve) REFUSED(execvp) REFUSED(kill) REFUSED(raise)
REFUSED(pthread_create) REFUSED(signal) REFUSED(sigaction) REFUSED(sigprocmask) REFUSED(alarm) REFUSED(setitimer) REFUSED(chdir)
REFUSED(pause) REFUSED(poll) REFUSED(select) REFUSED(sigsuspend) REFUSED(wait) REFUSED(waitpid)
REFUSED(posix_spawn) REFUSED(setrlimit) REFUSED(dup2) REFUSED(munmap)
void *__wrap_popen(void) { told("popen", 0); errno = EPERM; return NULL; }

/* Files. */
ssize_t __real_read(int, void *, size_t);
ssize_t __real_write(int, const void *, size_t);
static void told_file(const char *what, int descriptor, word at, word size) {
    if (!H->is_in_call) return;
    told(what, (word)descriptor);
    note("at", at);
    note("bytes", size);
}
/* A descriptor that the function was handed is that of no file. What is read from it, and how much of what is written
 * to it arrives, is the input's to say. */
static int is_handed(int descriptor) {
    if (!H->is_in_call || descriptor < 3) return 0;
    int before = errno, is_open = fcntl(descriptor, F_GETFD) >= 0;
    errno = before;
    return !is_open;
}
/* How many bytes of so many; it can fail, too. */
static ssize_t count_moved(word key, size_t size) {
    word choice = one_of(key, 8);
    if (choice == 0) { errno = EIO; return -1; }
    return (ssize_t)(choice == 1 ? 0 : choice < 4 ? one_of(mixed(key, 1), 1 << 16) % (size + 1) : size);
}
static ssize_t moved(word key, size_t size) {
    if (given_input()) return given_move(NULL, size);
    ssize_t count = count_moved(key, size);
    save_number("move", 0, (word)count);
    return count;
}
static ssize_t answered(char *to, size_t size) {
    if (given_input()) return given_move(to, size);
    word key = mixed(H->events, 670);
    char content[256];
    ssize_t count = count_moved(key, size);
    if (count <= 0) { save_number("move", 0, (word)count); return count; }
    word length = text(mixed(key, 2), content, sizeof content);
    if (length && (size_t)count > length && one_of(mixed(key, 3), 2)) count = (ssize_t)length;
    for (ssize_t index = 0; index < count; index++) to[index] = length ? content[(word)index % length] : 0;
    save_number("move", 0, (word)count), save_bytes("bytes", 0, to, (word)count);
    return count;
}
static ssize_t written(const char *from, size_t size) {
    for (size_t index = 0; index < size && index < 4096; index++) note("", (unsigned char)from[index]);
    return moved(mixed(H->events, 672), size);
}
ssize_t __wrap_read(int descriptor, void *to, size_t size) {
    must_write(to, size), told_file("read", descriptor, 0, size);
    return is_handed(descriptor) ? answered(to, size) : __real_read(descriptor, to, size);
}
ssize_t __wrap_write(int descriptor, const void *from, size_t size) {
    must_read(from, size), told_file("write", descriptor, 0, size);
    return is_handed(descriptor) ? written(from, size) : __real_write(descriptor, from, size);
}
off_t __real_lseek(int, off_t, int);
off_t __wrap_lseek(int descriptor, off_t at, int from) {
    told_file("lseek", descriptor, (word)at, (word)from);
    return is_handed(descriptor) ? moved(mixed(H->events, 671), 1 << 12) : __real_lseek(descriptor, at, from);
}
int __real_ftruncate(int, off_t);
int __wrap_ftruncate(int descriptor, off_t size) {
    told_file("ftruncate", descriptor, 0, (word)size);
    return __real_ftruncate(descriptor, size);
}
ssize_t __real_pread(int, void *, size_t, off_t);
ssize_t __real_pwrite(int, const void *, size_t, off_t);
ssize_t __wrap_pread(int descriptor, void *to, size_t size, off_t at) {
    must_write(to, size), told_file("pread", descriptor, (word)at, size);
    return is_handed(descriptor) ? answered(to, size) : __real_pread(descriptor, to, size, at);
}
ssize_t __wrap_pwrite(int descriptor, const void *from, size_t size, off_t at) {
    must_read(from, size), told_file("pwrite", descriptor, (word)at, size);
    return is_handed(descriptor) ? written(from, size) : __real_pwrite(descriptor, from, size, at);
}
int __wrap_fclose(FILE *stream_) {
    if (!H->is_in_call) return __real_fclose(stream_);
    if (!stream_) stop(NULL_ARGUMENT);
    for (unsigned index = 0; index < H->stream_count; index++)
        if (H->streams[index] == stream_) { told("fclose", index); fflush(stream_); return 0; }
    if (stream_ == stdout || stream_ == stderr || stream_ == stdin) { told("fclose", 99); return 0; }
    told("fclose", 98);
    return __real_fclose(stream_);
}
int __wrap_close(int descriptor) {
    if (!H->is_in_call) return __real_close(descriptor);
    told("close", (word)descriptor);
    if (is_handed(descriptor)) return (int)moved(mixed(H->events, 673), 0);
    if (descriptor < 3 || descriptor >= DESCRIPTORS) return descriptor < 0 ? (errno = EBADF, -1) : 0;
    return __real_close(descriptor);
}
/* Notes what is done to a file. What lies outside of the function's own folder stays as it is. */
static int may_change(const char *what, const char *path) {
    must_text(path, 4096);
    told_text(what, path);
    int is_within = path[0] != '/' && !strstr(path, "..");
    if (!is_within) errno = EACCES;
    return is_within;
}
FILE *__wrap_fopen(const char *path, const char *mode) {
    if (!H->is_in_call) return __real_fopen(path, mode);
    must_text(mode, 16);
    int is_within = may_change("fopen", path);
    note("mode", 0), see_string(mode, 16);
    return is_within || mode[0] == 'r' ? __real_fopen(path, mode) : NULL;
}
int __wrap_unlink(const char *path) { return may_change("unlink", path) ? __real_unlink(path) : -1; }
int __wrap_remove(const char *path) { return may_change("remove", path) ? __real_unlink(path) : -1; }
int __wrap_rmdir(const char *path) { return may_change("rmdir", path) ? __real_rmdir(path) : -1; }
int __wrap_mkdir(const char *path, mode_t mode) {
    int is_within = may_change("mkdir", path);
    note("mode", mode);
    return is_within ? __real_mkdir(path, mode) : -1;
}
int __wrap_rename(const char *from, const char *to) {
    return may_change("rename", from) && may_change("rename", to) ? __real_rename(from, to) : -1;
}
int __wrap_open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    int mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, int) : 0;
    va_end(more);
    if (!H->is_in_call) return __real_open(path, flags, mode);
    int is_within = may_change("open", path);
    note("flags", (word)flags), note("mode", (word)mode);
    return is_within || (flags & O_ACCMODE) == O_RDONLY ? __real_open(path, flags, mode) : -1;
}
