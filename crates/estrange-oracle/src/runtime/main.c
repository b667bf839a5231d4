/* The loop: jobs over inputs, one process for all as long as it lives. */

extern char __data_start[], edata[], __bss_start[];
void __sanitizer_set_report_fd(void *);
int __real_dup2(int, int);
int __real_chdir(const char *);
_Noreturn void __real__exit(int);

/* Calls a function; the second time deeper in the stack, so that what depends on addresses is another. */
static __attribute__((noinline)) void call(const struct estrange_function *function, void **places, void *result, const struct job *job) {
    volatile char deeper[job->fill == FIRST_FILL ? 64 : 4096 + 64];
    deeper[0] = 0;
    H->stack = (char *)deeper;
    H->is_in_call = 1;
    function->call(places, result);
    H->is_in_call = 0;
}

/* Puts the program's own variables back to what they were when it started. */
static void set_back(void) {
    copy(__data_start, H->saved, (size_t)(end - __data_start));
    set_back_blocks();
}

/* Lets what is left on the stack be ours. */
static __attribute__((noinline)) void paint_stack(void) {
    volatile word below[(1 << 14) / sizeof(word)];
    for (size_t index = 0; index < sizeof below / sizeof *below; index++) below[index] = H->fill * 0x0101010101010101u;
}

static void clean_files(void) {
    DIR *folder = opendir(".");
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.') __real_unlink(entry->d_name), __real_rmdir(entry->d_name);
    closedir(folder);
}

static void begin(const struct estrange_function *function, struct input *input, const struct job *job) {
    set_back();
    H->makers = function->makers;
    H->globals = function->globals;
    H->end = RETURNED;
    H->frame_count = H->line = H->column = 0;
    H->given_moves = 0;
    H->input = input;
    H->fill = (unsigned char)job->fill;
    H->region_count = H->objects = H->drawn_count = H->recent_count = H->recent_from = H->pair_count = 0;
    H->stub_counts[0] = H->stub_counts[1] = H->stream_count = 0;
    H->in_use = H->allocations = H->events = H->clock = H->steps = H->cost = H->path = 0;
    H->touched_files = 0;
    H->random = 1;
    H->last_real = 1;
    H->is_nothing_handed = 0;
    begin_stretch();
    H->hash = 0;
    H->left = job->fuel;
    forget_seen();
    for (word index = 0; index < plan()->globals; index++) {
        word type = H->plan[plan()->globals_at + index];
        add_region(function->globals[index], type_of(type)->size, (long)type, 1);
    }
    for (word index = 0; index < plan()->globals && !given_input(); index++) {
        word key = mixed(index, 900), type = H->plan[plan()->globals_at + index];
        char *at = function->globals[index];
        int is_empty = 1;
        for (size_t byte = 0; byte < type_of(type)->size && is_empty; byte++) is_empty = at[byte] == 0;
        if (one_of(key, 100) < (is_empty ? 60 : 15)) build(type, at, mixed(key, 1), 1);
    }
}

/* The files that the function left. */
static void see_files(void) {
    enum { MOST_FILES = 8 };
    char content[4096];
    struct dirent **entries = NULL;
    int count = scandir(".", &entries, NULL, alphasort);
    for (int index = 0, seen = 0; index < count; index++) {
        const char *name = entries[index]->d_name;
        int file = name[0] != '.' && seen++ < MOST_FILES ? __real_open(name, O_RDONLY | O_NONBLOCK) : -1;
        if (file < 0) continue;
        note_line("file", (word)seen);
        for (const char *letter = name; *letter; letter++) note("", (unsigned char)*letter);
        ssize_t size = __real_read(file, content, sizeof content);
        note("bytes", (word)size);
        for (ssize_t byte = 0; byte < size; byte++) note("", (unsigned char)content[byte]);
        __real_close(file);
    }
    for (int index = 0; index < count; index++) free(entries[index]);
    free(entries);
}

/* What has been written to a file that takes what is printed. */
static void see_printed(const char *what, int file) {
    char content[4096];
    off_t size = lseek(file, 0, SEEK_END);
    if (size <= 0) return;
    note_line(what, (word)size);
    note("bytes", (word)size);
    for (off_t at = 0; at < size && at < 1 << 18;) {
        ssize_t count = pread(file, content, sizeof content, at);
        if (count <= 0) break;
        for (ssize_t index = 0; index < count; index++) note("", (unsigned char)content[index]);
        at += count;
    }
}

/* What the function has printed, and what its streams hold now. What waits in a buffer has not been printed yet. */
static void see_output(void) {
    char content[4096];
    size_t waiting = __fpending(stdout);
    if (waiting) note_line("waiting", 0), note("bytes", waiting);
    fflush(H->touched_files ? NULL : stdout);
    if (H->touched_files) see_files();
    see_printed("printed", H->output);
    see_printed("printed as errors", H->errors);
    for (unsigned index = 0; index < H->stream_count; index++) {
        FILE *each = H->streams[index];
        note_line("stream", index);
        note("waiting", __fpending(each));
        note("at", (word)ftell(each));
        note("error", (word)ferror(each));
        fflush(each);
        ssize_t count = pread(fileno(each), content, sizeof content, 0);
        for (ssize_t byte = 0; byte < count; byte++) note("", (unsigned char)content[byte]);
    }
}

static void see_result(const char *result) {
    if (!result || type_of(plan()->result)->kind == VOID) return;
    note_line("returned", 0);
    /* A constructor may leave members as they were. */
    see(plan()->result, result, H->makers ? &not_ours : NULL, 0);
}

/* Whether calls in a row go on. When inputs are sought, many are only worth it where the function keeps something. */
static int may_go_on(word times, int calls) {
    if (!H->is_exploring || times < MANY_CALLS || calls > 1) return 1;
    for (const char *at = __data_start, *kept = H->saved; at < end; at++, kept++)
        if (*at != *kept) return 1;
    H->end = ENDLESS;
    return 0;
}

static void see_all(char (*arguments)[MOST_ARGUMENT], const char *result) {
    see_result(result);
    for (word index = 0; index < plan()->parameters; index++) {
        word type = H->plan[plan()->parameters_at + index];
        if (index == 0 && result && plan()->ends_object) continue;
        note_line("argument", index);
        see(type, arguments[index], NULL, 0);
    }
    /* Every object that was made is looked at, also if nothing points to it any more. */
    mark("\nobjects%s %lld:", 0);
    for (unsigned index = 0; index < H->region_count && !plan()->ends_object; index++)
        if (H->regions[index].is_ours) see_pointer(H->regions[index].base, H->regions[index].type, 0);
    see_found();
    /* What C leaves behind, also where nothing points there. In C++ the room that a container keeps is its own affair. Whoever is
     * graded is told apart by it, but not judged. */
    mark("\nleft%s %lld:", 0);
    if (!H->makers && !plan()->is_graded) note("left", H->in_use);
}

static void empty(int file) {
    if (lseek(file, 0, SEEK_END) <= 0) return;
    if (ftruncate(file, 0)) _exit(96);
    lseek(file, 0, SEEK_SET);
}

static void finish(void) {
    for (unsigned index = 0; index < H->region_count; index++) {
        struct region *region = &H->regions[index];
        if (region->is_live && !region->is_found && !is_in_image(region->base)) __real_free(region->base);
    }
    for (unsigned index = 0; index < H->stream_count; index++) __real_fclose(H->streams[index]);
    empty(H->output);
    empty(H->errors);
    if (H->touched_files) {
        /* What it opened and left open would give the next one other numbers. */
        fflush(NULL);
        for (int descriptor = 3; descriptor < DESCRIPTORS; descriptor++)
            if (descriptor != H->tell) __real_close(descriptor);
        clean_files();
    }
}

/* The kind of result that a call came to: nothing, less than nothing, one, or more. */
static unsigned outcome(const char *result) {
    const struct type *type = type_of(plan()->result);
    word value = 0;
    if (type->size == 0 || type->size > 8 || type->kind == RECORD) return 0;
    copy(&value, result, type->size);
    if (value == 0) return 0;
    if (type->kind == INTEGER && type->b && value >> (type->size * 8 - 1)) return 1;
    return value == 1 ? 2 : 3;
}

/* How many steps a call may take: more, where something is long. What is compared takes so many times those of the original. */
static word fuel_of(const struct job *job) {
    enum { TIMES = 4, MANY_TIMES = 25 };
    if (job->what == KILL || !H->stretch) return job->fuel;
    return job->fuel * (H->stretch > LARGE ? MANY_TIMES : TIMES);
}

/* How it ended, and where. */
static void tell_end(int ended, word hash) {
    if (H->tell < 0) return;
    dprintf(H->tell, "\nended %d\nall that was seen %llx\n", ended, (long long)hash);
    if (!estrange_replays) return;
    dprintf(H->tell, "last %d\nplace %u %u\nframes", H->end, H->line, H->column);
    for (unsigned index = 0; index < H->frame_count; index++) dprintf(H->tell, " %llx", (long long)H->frames[index]);
    dprintf(H->tell, "\n");
}

static struct result run(const struct job *job, struct input *input) {
    const struct estrange_function *function = &__start_estrange_functions[job->function];
    char(*arguments)[MOST_ARGUMENT] = H->arguments;
    char result[MOST_ARGUMENT] __attribute__((aligned(16))) = {0};
    void *places[MOST_PARAMETERS];
    volatile int calls = 0;
    volatile word hash = 0;
    H->stack_base = __builtin_frame_address(0);
    /* What cannot be built comes back here, too. */
    if (sigsetjmp(H->back, 0) == 0) {
        begin(function, input, job);
        for (word index = 0; index < plan()->parameters; index++) {
            word type = H->plan[plan()->parameters_at + index];
            places[index] = arguments[index];
            fill(arguments[index], 0, type_of(type)->size);
            H->is_parameter = type_of(type)->kind == INTEGER;
            if (!given_input()) build(type, arguments[index], mixed(index, 700), 0);
            H->is_parameter = 0;
            if (type_of(type)->kind == POINTER && !*(char **)arguments[index]) H->is_nothing_handed = 1;
        }
        if (given_input()) build_given();
        else let_meet();
        end_stretch();
        volatile word times = given_input() ? given_input()->calls : calls_in_a_row();
        H->left = fuel_of(job), H->steps = 0;
        if (H->is_exploring) H->pair_count = 0;
        H->hash = 0;
        if (H->tell >= 0) {
            see_all(arguments, NULL);
            if (times > 1) save_number("calls", 0, times);
            forget_seen();
            dprintf(H->tell, "\n== after");
            H->hash = H->told = 0;
        }
        do {
            errno = 0;
            if (H->makers && type_of(plan()->result)->kind == RECORD) fill(result, H->fill, type_of(plan()->result)->size);
            paint_stack();
            H->is_second_call = calls > 0;
            H->runs++;
            plain_arithmetic();
            call(function, places, result, job);
            int error = errno;
            word other = arithmetic();
            plain_arithmetic();
            if (H->is_blind) continue;
            note_line("errno", 0);
            note("", (word)error);
            if (other) note_line("arithmetic", 0), note("", other);
            forget_seen();
            int is_last = (word)calls + 1 == times || H->end != RETURNED;
            if (is_last || calls < SOME_CALLS) {
                see_all(arguments, H->end == RETURNED ? result : NULL);
                see_output();
                if (is_last) see_lost(result);
            } else see_result(result);
            hash = H->hash;
        } while ((word)++calls < times && H->end == RETURNED && may_go_on(times, calls));
    }
    H->is_in_call = 0;
    plain_arithmetic();
    H->outcome = outcome(result);
    struct result found = {hash, (uint32_t)H->end, (uint32_t)(H->steps > UINT32_MAX ? UINT32_MAX : H->steps)};
    /* A second call that does not return is told by its end; the first one did. */
    int is_endless = H->end == ENDLESS || H->end == STACK_EXHAUSTED;
    if (calls > 0 && H->end != RETURNED && H->end != THREW) found = (struct result){mixed(hash, astray[H->end] ? 256 : (word)H->end), is_endless ? ENDLESS : RETURNED, found.steps};
    /* What was done before an end that the function chose counts; what undefined behaviour comes before may be anything. */
    else if ((H->end == EXITED || H->end == ABORTED) && !H->is_blind) see_output(), found.hash = H->hash;
    else if (H->end != RETURNED && H->end != THREW) found.hash = 0;
    /* What was left out of what is told is in the hash. */
    const struct region *left = estrange_replays && H->end == RETURNED ? left_behind(result) : NULL;
    if (left) {
        H->end = LEAK;
        for (; H->frame_count < TAKEN_AT; H->frame_count++) H->frames[H->frame_count] = left->taken_at[H->frame_count];
    }
    tell_end((int)found.end, found.hash);
    finish();
    return found;
}

/* What the last run cost, in steps: its own, and those of what is done around each call. */
static word cost_of_run(void) {
    enum { AROUND = 300, BYTES_A_STEP = 256 };
    return H->steps + H->cost + H->drawn_count + AROUND + (word)(end - __data_start) / BYTES_A_STEP;
}

static int is_same(struct result a, struct result b) { return is_like(a.end, b.end) && a.hash == b.hash; }

/* A job that may go on not much longer than the longest call that returned, but for one in sixteen: to wait for what never
 * ends is most of what a search costs. */
static struct job cut_short(const struct job *job, word random, word times, word more) {
    struct job this = *job;
    word enough = H->longest * times + more;
    if (random % 16 && enough < this.fuel) this.fuel = enough;
    return this;
}

/* Tries an input; keeps it if it reaches something new, or if more are wanted. */
static int attempt(const struct job *job) {
    struct state *state = H->state;
    struct job this = cut_short(job, mixed(state->tries++, 31), 4, 4000);
    struct result found = run(&this, &state->trial);
    state->cost += cost_of_run();
    if (found.end == RETURNED && found.steps > H->longest) H->longest = found.steps;
    int has_returned = found.end == RETURNED, is_new = take_marks(has_returned || found.end == THREW, H->outcome);
    if (is_new & ~MORE_OFTEN) state->last_new = state->tries;
    if (found.end >= ENDLESS || state->kept == MOST_OWN) return 0;
    word kept = has_returned ? state->kept - state->kept_faults : state->kept_faults;
    word limit = has_returned ? (is_new & IN_ITSELF ? MOST_OWN : is_new ? plan()->wanted * 2 : plan()->wanted * 2 / 3) : plan()->wanted / (is_new ? 3 : 8);
    if (kept >= limit) return 0;
    state->trial.is_new = (word)is_new;
    copy(&state->inputs[state->kept++], &state->trial, sizeof state->trial);
    state->kept_faults += !has_returned;
    return is_new;
}

/* How often another choice there made no difference to what is compared, since it last made one. */
static unsigned char *in_vain(word key) { return &H->vain[mixed(key, 13) % MOST_VAIN]; }

static void choose(struct input *input, struct choice choice) {
    H->changed = choice.key;
    for (word index = 0; index < input->count; index++)
        if (input->choices[index].key == choice.key) { input->choices[index] = choice; return; }
    input->choices[input->count < MOST_CHOICES ? input->count++ : choice.key % MOST_CHOICES] = choice;
}

/* Changes the trial, which was run just now, so that a comparison it made would go the other way. */
static int aim(word random) {
    if (!H->pair_count) return 0;
    for (int attempt = 0; attempt < 8; attempt++, random = mixed(random, 5)) {
        const struct pair *chosen_pair = &H->pairs[random % H->pair_count];
        const word *pair = chosen_pair->sides;
        /* What the function itself compares and was never equal comes first. */
        if (attempt < 6 && (!chosen_pair->site || *relation(H->state->relations[H->outcome], chosen_pair->site, 1) & EQUAL) && random >> 50 & 3) continue;
        int side = random >> 32 & 1;
        for (unsigned index = 0; index < H->drawn_count; index++) {
            const struct drawn *drawn = &H->drawn[(index + (random >> 16)) % H->drawn_count];
            if (drawn->size == ADDRESS) {
                /* Two pointers: the other one, or none. */
                struct region *other = pair[!side] ? region_at((void *)pair[!side]) : NULL;
                if (!drawn->value || drawn->value != pair[side] || (pair[!side] && !other)) continue;
                choose(&H->state->trial, (struct choice){drawn->key, 3, other ? (word)(other - H->regions) + 1 : 0});
                return 1;
            }
            if (!drawn->size || drawn->size > ADDRESS || cut(drawn->value, drawn->size * 8) != cut(pair[side], drawn->size * 8)) continue;
            static const int steps[] = {0, 0, 1, -1};
            choose(&H->state->trial, (struct choice){drawn->key, 1, cut(pair[!side] + (word)steps[random >> 40 & 3], drawn->size * 8)});
            return 1;
        }
        /* Some bits of a number: these are set, the others stay. */
        const struct drawn *drawn = &H->drawn[(random >> 16) % H->drawn_count];
        if (attempt < 4 || !drawn->size || drawn->size >= ADDRESS || (drawn->value & pair[side]) != pair[side]) continue;
        choose(&H->state->trial, (struct choice){drawn->key, 1, cut((drawn->value & ~pair[side]) | pair[!side], drawn->size * 8)});
        return 1;
    }
    return 0;
}

static int is_number(const struct drawn *drawn) { return drawn->size && drawn->size < ADDRESS; }

/* Of eight kinds of wishes, whether a choice is what is wished for. */
static int is_wanted(const struct drawn *drawn, word wish) {
    switch (wish) {
    case 0: case 1: case 2: case 3: return !is_number(drawn);
    case 4: return drawn->size == MORE_TEXT;
    case 5: return is_number(drawn) && !drawn->is_character;
    default: return 1;
    }
}

/* Another choice somewhere: of how things hang together as often as of what they are, now and then more of a text, and
 * as often a number that is not one of the many characters of a text; sometimes one near to what it was.
 * All but one in so many leave choices alone that made no difference: of what a function is handed, it may read little. */
static void stray(word random, word anywhere) {
    enum { OFTEN = 4 };
    int is_any_right = (random >> 5) % anywhere == 0;
    const struct drawn *drawn = &H->drawn[(random >> 8) % H->drawn_count];
    word wanted = random % 8;
    for (int attempt = 0; attempt < 24; attempt++) {
        if (is_wanted(drawn, wanted) && (is_any_right || attempt >= 20 || *in_vain(drawn->key) < OFTEN)) break;
        drawn = &H->drawn[mixed(random, (word)attempt) % H->drawn_count];
    }
    struct choice choice = {drawn->key, 2, mixed(random, 9)};
    if (is_number(drawn) && random >> 62 == 0) {
        word step = 1 + (random >> 57 & 15);
        choice = (struct choice){drawn->key, 1, cut(random >> 61 & 1 ? drawn->value + step : drawn->value - step, drawn->size * 8)};
    }
    choose(&H->state->trial, choice);
}

/* Where the code of the function is that tells what it reaches: up to the next one. */
static void find_code(const struct job *job) {
    H->code_from = (word)__start_estrange_functions[job->function].code;
    H->code_to = H->code_from + (1 << 20);
    for (const struct estrange_function *each = __start_estrange_functions; each < __stop_estrange_functions; each++) {
        word places[] = {(word)each->code, (word)each->call};
        for (int index = 0; index < 2; index++)
            if (places[index] > H->code_from && places[index] < H->code_to) H->code_to = places[index];
    }
}

/* Whether the search is to go on. Where much is not reached, it may cost up to four times as much; and as long as something
 * new is found, it goes on beyond that. */
static int is_worth_it(void) {
    struct state *state = H->state;
    word all = plan()->marks + 1, left = state->returned < all ? all - state->returned : 0;
    word most_tries = plan()->tries + 3 * plan()->tries * left / all, most_cost = MOST_COST + 3 * (word)MOST_COST * left / all;
    if (state->tries >= most_tries) return 0;
    return state->cost < most_cost || (state->cost < MOST_GOING_ON && state->tries < state->last_new + STALE);
}

static void seek(const struct job *job);
static void mend(const struct job *job);
static void exhaust(const struct job *job, struct row *row);
static void edge_inputs(const struct job *job);
static void special_inputs(const struct job *job);
static void stretch_inputs(const struct job *job);

static void explore(const struct job *job) {
    struct state *state = H->state;
    /* How a call ends and what it reaches is all that counts here. */
    H->is_exploring = H->is_blind = 1;
    find_code(job);
    while (is_worth_it()) {
        /* When all is reached, inputs are tried for what lies beside the bounds as long as there is something new. */
        if (state->returned >= plan()->marks && state->tries >= state->last_new + STALE && state->kept >= plan()->wanted) break;
        word random = mixed(plan()->seed, state->tries);
        /* Wholly new ones are many at first and few later. */
        if (state->kept < 8 || state->tries < 48 || random % (state->tries < 1000 ? 4 : 16) == 0) {
            state->trial = (struct input){.seed = random};
            attempt(job);
            continue;
        }
        /* From one that was kept, some steps away from it. Later ones reached what earlier ones did not. */
        word which = (random >> 8) % state->kept, news = random >> 40 & 1 ? IN_ITSELF : IN_ITSELF | IN_HELPERS | MORE_OFTEN;
        for (word more = 0; more < 12 && !(state->inputs[which].is_new & news); more++) which = mixed(random, more) % state->kept;
        /* Now and then the latest ones: they may be on their way. */
        if (random >> 41 & 1 && random >> 42 & 1) which = state->kept - 1 - (random >> 8) % 8;
        copy(&state->trial, &state->inputs[which], sizeof state->trial);
        attempt(job);
        /* Half of the walks climb: a step that brings nothing new is taken back. One that makes no difference always is. */
        int is_climb = random >> 43 & 1;
        for (int step = 0; step < 6; step++) {
            random = mixed(random, (word)step);
            if (H->drawn_count == 0) break;
            struct input before = state->trial;
            word path = H->path;
            if (random % 3 == 0 || !aim(random >> 2)) stray(random, 8);
            int is_new = attempt(job);
            unsigned char *vain = in_vain(H->changed);
            if (H->path != path) *vain = 0;
            else *vain += *vain < 255;
            if (H->path == path || (is_climb && !is_new)) state->trial = before;
        }
    }
    edge_inputs(job);
    special_inputs(job);
    stretch_inputs(job);
    H->is_exploring = H->is_blind = 0;
}

/* Looks for an input on which a function that is wrong on purpose does not do what the original does, and keeps it. The
 * first job has run the original on all inputs. */
static void hunt(const struct job *job) {
    struct state *state = H->state;
    struct result *known = state->rows[0].of;
    const struct job original = {.function = 0, .fill = FIRST_FILL, .what = RUN, .fuel = job->fuel};
    /* What was there before has been compared with it; what other hunts have found since has not. */
    if (!state->hunted_from) {
        state->hunted_from = state->kept;
        if (state->cost > MOST_COST) state->cost = MOST_COST;
    }
    for (word at = state->hunted_from; at < state->kept; at++)
        if (known[at].end < ENDLESS && !is_same(run(job, &state->inputs[at]), known[at])) return;
    find_code(&original);
    for (word try = 0; try < HUNTED && state->cost < MOST_HUNTED; try++) {
        word random = mixed(plan()->seed ^ job->function << 32, try);
        word which = (random >> 8) % state->kept;
        if (random % 2) for (word more = 0; more < 12 && !state->inputs[which].is_new; more++) which = mixed(random, more) % state->kept;
        copy(&state->trial, &state->inputs[which], sizeof state->trial);
        for (int step = 0; step < 6; step++) {
            random = mixed(random, (word)step);
            struct result wrong = {0};
            if (step) {
                if (H->drawn_count == 0) break;
                /* Also what no comparison shows may be read. */
                if (random % 3 == 0 || !aim(random >> 2)) stray(random, 2);
                struct job this = cut_short(job, random >> 20, 8, 20000);
                wrong = run(&this, &state->trial);
                state->cost += cost_of_run();
            }
            /* The original comes last: what it drew and compared is where the next step begins. */
            H->is_exploring = 1;
            struct result right = run(&original, &state->trial);
            H->is_exploring = 0;
            state->cost += cost_of_run();
            take_marks(right.end == RETURNED || right.end == THREW, H->outcome);
            if (!step || right.end >= ENDLESS || is_same(wrong, right)) continue;
            struct job again = original;
            again.fill = FIRST_FILL ^ 0x7e;
            if (!is_same(run(&again, &state->trial), right) || state->kept == MOST_OWN) return;
            state->trial.is_new = IN_ITSELF;
            known[state->kept] = right;
            copy(&state->inputs[state->kept++], &state->trial, sizeof state->trial);
            state->kept_faults += right.end != RETURNED;
            return;
        }
    }
}

/* One job over all inputs, from where an earlier process stopped. */
static void work(const struct job *job, word number) {
    struct state *state = H->state;
    struct row *row = &state->rows[number];
    if (job->what == EXPLORE) { explore(job); return; }
    if (job->what == HUNT) { hunt(job); return; }
    if (job->what == SEEK) { seek(job); return; }
    if (job->what == EXHAUST) { exhaust(job, row); return; }
    if (job->what == MEND) { mend(job); return; }
    if (job->what == TELL || job->what == SAVE) {
        H->is_saving = job->what == SAVE;
        H->tell = open("/scratch/said", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        run(job, &state->inputs[job->input]);
        H->tell = -1;
        return;
    }
    const struct row *first = &state->rows[plan()->first];
    if (state->input < job->input) state->input = job->input;
    for (; state->input < state->kept; state->input++) {
        word at = state->input;
        if (job->what == KILL) {
            /* What the original itself does not do twice the same is no measure. */
            if (!is_same(first[0].of[at], first[1].of[at]) || !is_same(first[0].of[at], first[2].of[at])) continue;
            if (first[0].of[at].end >= ENDLESS) continue;
        }
        struct job this = *job;
        if (job->what == KILL) this.fuel = first->of[at].steps * job->fuel + 20000;
        row->of[at].end = NEVER;
        H->is_marking = job->what == KILL;
        row->of[at] = run(&this, &state->inputs[at]);
        H->is_marking = 0;
        if (plan()->is_graded) ((uint32_t *)row->marks)[at] = (uint32_t)H->in_use | (uint32_t)H->is_memory_short << 31;
        else note_marks(row->marks, row->of[at].end == RETURNED || row->of[at].end == THREW);
        if (job->what == KILL && !is_same(row->of[at], first->of[at])) break;
    }
}

static void *map(const char *path, size_t *size) {
    int file = open(path, O_RDONLY);
    struct stat about;
    if (file < 0 || fstat(file, &about)) _exit(95);
    void *mapped = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    __real_close(file);
    *size = (size_t)about.st_size;
    return mapped;
}

/* A file that takes what is written to a descriptor. */
static int taking(const char *path, int descriptor) {
    int file = open(path, O_RDWR | O_CREAT | O_APPEND, 0600);
    int taking = fcntl(file, F_DUPFD, DESCRIPTORS);
    __real_close(file);
    return taking < 0 || __real_dup2(taking, descriptor) < 0 ? -1 : taking;
}

int main(int count, char **arguments) {
    size_t size, state_size;
    if (count < 2) return 94;
    H = mmap(NULL, sizeof *H, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    H->plan = map(arguments[1], &size);
    H->tell = -1;
    state_size = sizeof(struct state) + plan()->jobs * sizeof(struct row);
    int file = open("/scratch/state", O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, (off_t)state_size)) return 93;
    H->state = mmap(NULL, state_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    __real_close(file);
    if (count > 2) {
        const char *before = map(arguments[2], &size);
        copy(H->state, before, size < state_size ? size : state_size);
    }
    /* Standard output and error belong to the function; the sanitizer keeps the true one. */
    __sanitizer_set_report_fd((void *)(intptr_t)fcntl(2, F_DUPFD, DESCRIPTORS));
    H->output = taking("/scratch/output", 1);
    H->errors = taking("/scratch/errors", 2);
    if (H->output < 0 || H->errors < 0) return 92;
    if (__real_mkdir("/scratch/work", 0700) && errno != EEXIST) return 91;
    if (__real_chdir("/scratch/work")) return 90;
    catch_faults();
    size_t own = (size_t)(end - __data_start);
    H->saved = mmap(NULL, own, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    save_blocks();
    copy(H->saved, __data_start, own);
    for (; H->state->job < plan()->jobs; H->state->job++, H->state->input = 0)
        work((const struct job *)(H->plan + plan()->jobs_at) + H->state->job, H->state->job);
    H->state->is_done = 1;
    __real__exit(0);
}
