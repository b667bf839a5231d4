FILE *__real_fopen(const char *, const char *);
int __real_fclose(FILE *);
int __real_open(const char *, int, ...);
int __real_close(int);
int __real_dup2(int, int);
ssize_t __real_write(int, const void *, size_t);
off_t __real_lseek(int, off_t, int);

/* An input that is given by its values: objects, what they hold, and what is answered while the function runs. given.rs
 * writes it; nothing is chosen here but what the input does not say. */

/* All that are called "at" are indices of words of the plan. */
struct given {
    word objects, objects_at, steps, steps_at, answers, answers_at, streams, streams_at, variables, variables_at, missing,
        missing_at, moves, moves_at, files, files_at, input_at, calls;
};
/* An object: its size, its type plus 1, and whether it is the room of a string or vector. */
struct given_object {
    word size, type, is_storage;
};
/* Something that is done to make the input, at an offset in what a kind and a number name. */
struct step {
    word what, kind, number, offset, a, b, c, d;
};
enum { PUT = 0, POINT = 1, MAKE = 2, ADD = 3 };
enum { AN_OBJECT = 0, AN_ARGUMENT = 1, A_GLOBAL = 2, A_STUB = 3, A_STREAM = 4, A_FUNCTION = 5 };
/* What a function that was handed in answers to each call, and which calls it answers. */
struct given_answers {
    word type, count, at;
};
/* An answer: bits, or what it points to; and what is written where its arguments point. */
struct given_answer {
    word is_pointer, kind, number, value, writes, writes_at;
};

static const struct given *given_input(void) {
    return plan()->given_at ? (const struct given *)(H->plan + plan()->given_at) : NULL;
}
static const void *words_at(word at) { return H->plan + at; }

static char *given_place(word kind, word number, word offset) {
    switch (kind) {
    case AN_OBJECT: return H->regions[plan()->globals + number].base + offset;
    case AN_ARGUMENT: return H->arguments[number] + offset;
    case A_GLOBAL: return (char *)H->globals[number] + offset;
    case A_STREAM: return (char *)H->streams[number];
    case A_FUNCTION: return H->globals[plan()->globals + number];
    default: {
        int bank = type_of(type_of(H->stubs[0][number].type)->a)->kind == FLOATING;
        return stubs[number][bank];
    }
    }
}

/* A stream with bytes in it, which come after how many they are. */
static void given_stream(word at) {
    FILE *made = tmpfile();
    if (!made) stop_building();
    fwrite(words_at(at + 1), 1, H->plan[at], made);
    rewind(made);
    H->streams[H->stream_count++] = made;
}

static void given_file(const word *both) {
    const char *name = words_at(both[0] + 1);
    FILE *made = __real_fopen(name, "w");
    if (!made) stop_building();
    fwrite(words_at(both[1] + 1), 1, H->plan[both[1]], made);
    __real_fclose(made);
    H->touched_files = 1;
}

/* What is read from standard input. */
static void given_standard_input(word at) {
    int file = __real_open("/scratch/input", O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || __real_write(file, words_at(at + 1), H->plan[at]) < 0) stop_building();
    __real_lseek(file, 0, SEEK_SET);
    __real_dup2(file, 0);
    __real_close(file);
    clearerr(stdin);
}

static void do_step(const struct step *step) {
    char *at = given_place(step->kind, step->number, step->offset);
    switch (step->what) {
    case PUT: copy(at, words_at(step->a), step->b); break;
    case POINT: {
        char *to = given_place(step->a, step->b, step->c);
        copy(at, &to, sizeof to);
        break;
    }
    case MAKE: {
        void *arguments[MOST_PARAMETERS];
        const word *objects = words_at(step->c);
        for (word index = 0; index < objects[0]; index++) arguments[index] = given_place(AN_OBJECT, objects[1 + index], 0);
        if (make(&H->makers[step->a], at, (long)step->b, arguments) != at) stop_building();
        break;
    }
    default:
        H->is_in_call = 1;
        H->makers[step->a].add(at, given_place(AN_OBJECT, step->b, 0), step->c ? given_place(AN_OBJECT, step->c - 1, 0) : NULL);
        H->is_in_call = 0;
        break;
    }
}

static void build_given(void) {
    const struct given *given = given_input();
    const struct given_object *objects = words_at(given->objects_at);
    const struct given_answers *answers = words_at(given->answers_at);
    const struct step *steps = words_at(given->steps_at);
    for (word index = 0; index < given->objects; index++) {
        object(objects[index].size, (long)objects[index].type - 1);
        H->regions[H->region_count - 1].is_storage = (char)objects[index].is_storage;
        H->regions[H->region_count - 1].is_ours = !objects[index].is_storage;
    }
    for (word index = 0; index < given->answers; index++)
        for (int bank = 0; bank < 2; bank++) H->stubs[bank][index] = (struct stub){(long)answers[index].type, index, 0, 0};
    H->stub_counts[0] = H->stub_counts[1] = (unsigned)given->answers;
    for (word index = 0; index < given->streams; index++) given_stream(*((const word *)words_at(given->streams_at) + index));
    for (word index = 0; index < given->files; index++) given_file((const word *)words_at(given->files_at) + 2 * index);
    given_standard_input(given->input_at);
    for (word index = 0; index < given->steps; index++) do_step(&steps[index]);
}

/* What a function that was handed in answers to this call; nothing, if the input does not say it. */
static const struct given_answer *given_answer(unsigned stub, word call) {
    const struct given_answers *all = (const struct given_answers *)words_at(given_input()->answers_at) + stub;
    if (!all->count) return NULL;
    /* The last one answers all that come after it. */
    return (const struct given_answer *)words_at(all->at) + (call < all->count ? call : all->count - 1);
}

/* The same, done: what is written where arguments point, and what is returned. */
static word answer_given(const struct given_answer *answer, const struct type *type, const word *integers) {
    if (!answer) return 0;
    const word *writes = words_at(answer->writes_at);
    for (word index = 0; index < answer->writes; index++, writes += 3) {
        unsigned whole = 0;
        for (word before = 0; before < writes[0] && before < type->c; before++)
            whole += type_of(H->plan[type->b + before])->kind != FLOATING;
        if (whole < 6 && is_writable((char *)integers[whole], writes[2])) copy((char *)integers[whole], words_at(writes[1]), writes[2]);
    }
    return answer->is_pointer ? (word)given_place(answer->kind, answer->number, answer->value) : answer->value;
}

/* The value of a variable of the environment, if the input gives it one: where its length stands, before its bytes. */
static word given_variable(const char *name) {
    const struct given *given = given_input();
    const word *both = words_at(given->variables_at);
    for (word index = 0; index < given->variables; index++, both += 2)
        if (strcmp(words_at(both[0] + 1), name) == 0) return both[1];
    return 0;
}

/* Whether there is no memory left for the allocation of this number. */
static int is_given_missing(word allocation) {
    const struct given *given = given_input();
    const word *numbers = words_at(given->missing_at);
    for (word index = 0; index < given->missing; index++)
        if (numbers[index] == allocation) return 1;
    return 0;
}

/* How the next reading or writing of a descriptor without a file ends: so many bytes, which may be given, or -1. */
static ssize_t given_move(char *to, size_t size) {
    const struct given *given = given_input();
    if (H->given_moves >= given->moves) return to ? 0 : (ssize_t)size;
    const word *move = (const word *)words_at(given->moves_at) + 2 * H->given_moves++;
    ssize_t count = (ssize_t)move[0];
    if (count < 0) { errno = EIO; return -1; }
    if ((size_t)count > size) count = (ssize_t)size;
    const char *bytes = (const char *)words_at(move[1] + 1);
    for (ssize_t index = 0; to && index < count; index++) to[index] = (word)index < H->plan[move[1]] ? bytes[index] : 0;
    return count;
}
