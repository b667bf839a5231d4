/* All inputs that a function has, where these are few: numbers of few bits, and the function sees nothing else. Two functions
 * are called with each, one after the other, and what they return is compared. Nothing is set back between calls: neither
 * of them has anything to keep. */

/* One of the numbers that make up an input: which values it has, and where it stands. */
struct axis {
    word key, parameter, bit, bits, from, count;
};
enum { MOST_AXES = 12, MOST_COMBINATIONS = 1 << 20, MOST_EXHAUSTED = 400000000, MORE_STEPS = 40 };

static unsigned axes_of(word number, word key, word parameter, word bit, struct axis *axes, unsigned count) {
    const struct type *type = type_of(number);
    struct axis axis = {key, parameter, bit, type->size * 8, 0, 2};
    if (type->kind == RECORD) {
        const struct field *fields = (const struct field *)(H->plan + type->a);
        for (word index = 0; index < type->b; index++) {
            unsigned before = count;
            count = axes_of(fields[index].type, mixed(key, index + 300), parameter, bit + fields[index].bit, axes, count);
            if (fields[index].bits && count > before && count <= MOST_AXES) {
                axes[before].bits = fields[index].bits;
                axes[before].count = (word)1 << fields[index].bits;
            }
        }
        return count;
    }
    if (type->kind == INTEGER) axis.count = (word)1 << type->a;
    if (type->kind == ENUMERATION) {
        /* As many values as the bits have that its own ones take. */
        const word *values = H->plan + type->a;
        word bits = 1;
        for (word index = 0; index < type->b; index++) {
            word value = (int64_t)values[index] < 0 ? ~values[index] : values[index];
            while (value >> bits) bits++;
            if ((int64_t)values[index] < 0) axis.from = 1;
        }
        axis.from = axis.from ? -((word)1 << bits) : 0;
        axis.count = (word)(axis.from ? 2 : 1) << bits;
    }
    if (count < MOST_AXES) axes[count] = axis;
    return count + 1;
}

/* What a function does with the arguments that are there. */
static struct result once(const struct estrange_function *function, void **places, word fuel) {
    const struct type *type = type_of(plan()->result);
    char result[MOST_ARGUMENT] __attribute__((aligned(16)));
    H->stack_base = __builtin_frame_address(0);
    H->end = RETURNED, H->hash = 0, H->steps = 0, H->left = fuel;
    H->runs++;
    fill(result, 0, type->size);
    if (sigsetjmp(H->back, 0) == 0) {
        H->stack = result;
        H->is_in_call = 1;
        function->call(places, result);
    }
    H->is_in_call = 0;
    if (H->end == RETURNED) see(plan()->result, result, NULL, 0);
    return (struct result){H->end == RETURNED || H->end == THREW ? H->hash : 0, (uint32_t)H->end, (uint32_t)H->steps};
}

/* Says in its row how many inputs there were, if they are the same on all; else keeps the first on which they are not. */
static void exhaust(const struct job *job, struct row *row) {
    struct state *state = H->state;
    const struct estrange_function *old = &__start_estrange_functions[job->input], *new = &__start_estrange_functions[job->function];
    struct axis axes[MOST_AXES];
    void *places[MOST_PARAMETERS];
    unsigned count = 0;
    word all = 1, steps = 0;
    state->trial = (struct input){.seed = plan()->seed};
    begin(old, &state->trial, job);
    for (word index = 0; index < plan()->parameters; index++) {
        places[index] = H->arguments[index];
        fill(H->arguments[index], 0, MOST_ARGUMENT);
        count = axes_of(H->plan[plan()->parameters_at + index], mixed(index, 700), index, 0, axes, count);
        if (count > MOST_AXES) return;
    }
    for (unsigned index = 0; index < count; index++)
        if ((all *= axes[index].count) > MOST_COMBINATIONS) return;
    for (word at = 0; at < all && steps < MOST_EXHAUSTED; at++) {
        word rest = at;
        for (unsigned index = 0; index < count; index++) {
            word value = axes[index].from + rest % axes[index].count;
            rest /= axes[index].count;
            store_bits(H->arguments[axes[index].parameter], axes[index].bit, axes[index].bits, value);
        }
        struct result right = once(old, places, job->fuel);
        /* What does not end is no input. */
        if (right.end >= ENDLESS) return;
        struct result other = once(new, places, right.steps * MORE_STEPS + 20000);
        steps += right.steps + other.steps + 20;
        if (is_same(right, other)) {
            if (at + 1 == all) row->of[0] = (struct result){all, RETURNED, 1};
            continue;
        }
        rest = at;
        for (unsigned index = 0; index < count; index++) {
            choose(&state->trial, (struct choice){axes[index].key, 1, cut(axes[index].from + rest % axes[index].count, axes[index].bits)});
            rest /= axes[index].count;
        }
        if (state->kept < MOST_INPUTS) copy(&state->inputs[state->kept++], &state->trial, sizeof state->trial);
        return;
    }
}
