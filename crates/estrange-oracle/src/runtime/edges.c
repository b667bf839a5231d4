/* Inputs at edges, a few of them for each function that has such: the largest and smallest numbers that can be handed in, no
 * addresses, floating-point numbers that arithmetic treats apart, one by one and against each other, and long inputs. */

/* A parameter of a kind: the how-manieth such one; MOST_PARAMETERS, if there are not so many. Whole numbers have two bytes
 * or more. */
static word parameter(enum kind kind, word which) {
    for (word index = 0; index < plan()->parameters; index++) {
        const struct type *type = type_of(H->plan[plan()->parameters_at + index]);
        if (type->kind == kind && (kind != INTEGER || (type->size > 1 && type->size <= 8)) && which-- == 0) return index;
    }
    return MOST_PARAMETERS;
}

static void hand_in(struct input *input, word index, word how, word value) { choose(input, (struct choice){mixed(index, 700), how, value}); }

/* A number at an edge of a parameter's type. */
static word edge(word index, word which) {
    const struct type *type = type_of(H->plan[plan()->parameters_at + index]);
    word bits = type->size * 8, top = (word)1 << (bits - 1), half = (word)1 << (bits / 2 - 1);
    const word edges[] = {top, top - 1, top + 1, -1, -half, half * 2, half, half - 1};
    return cut(edges[which], bits);
}

/* Puts one of the first numbers of an input at an edge, or all; or makes one of the first addresses none, and all numbers
 * zero. Says whether the function takes such. */
static int make_edge(struct input *input, word which) {
    enum { EDGES = 8, NUMBERS = 2, ALL = 3, TIMES = 3, HAND_IN = 1, NO_ADDRESS = 3 };
    static const word together[ALL] = {0, 1, 3};
    if (which < EDGES * NUMBERS) {
        word index = parameter(INTEGER, which / EDGES);
        if (index < MOST_PARAMETERS) hand_in(input, index, HAND_IN, edge(index, which % EDGES));
        return index < MOST_PARAMETERS;
    }
    which -= EDGES * NUMBERS;
    int is_together = which < ALL;
    if (is_together ? parameter(INTEGER, 1) == MOST_PARAMETERS : parameter(POINTER, (which - ALL) / TIMES) == MOST_PARAMETERS) return 0;
    for (word number = 0, index; (index = parameter(INTEGER, number)) < MOST_PARAMETERS; number++)
        hand_in(input, index, HAND_IN, is_together ? edge(index, together[which]) : 0);
    if (!is_together) hand_in(input, parameter(POINTER, (which - ALL) / TIMES), NO_ADDRESS, 0);
    return 1;
}

static void edge_inputs(const struct job *job) {
    enum { MOST_EDGES = 25, TRIES = 4 };
    struct state *state = H->state;
    word from = state->kept;
    while (from && state->edges < MOST_EDGES && state->kept < MOST_OWN) {
        word which = state->edges++;
        struct result found = {0};
        int is_edge = 1;
        for (word try = 0; try < TRIES && is_edge && (!try || found.end != RETURNED); try++) {
            copy(&state->trial, &state->inputs[mixed(which, 9 + try) % from], sizeof state->trial);
            is_edge = make_edge(&state->trial, which);
            if (!is_edge) break;
            found = run(job, &state->trial);
            state->cost += cost_of_run();
            take_marks(found.end == RETURNED || found.end == THREW, H->outcome);
        }
        if (!is_edge || found.end >= ENDLESS) continue;
        state->trial.is_new = 0;
        state->kept_faults += found.end != RETURNED;
        copy(&state->inputs[state->kept++], &state->trial, sizeof state->trial);
    }
}

/* Keeps an input, made from one that is there, with such numbers for one or two of those that it draws. */
static void keep_special(const struct job *job, word from, word which, const word *kinds, word first) {
    struct state *state = H->state;
    copy(&state->trial, &state->inputs[mixed(which, 8) % from], sizeof state->trial);
    struct result found = run(job, &state->trial);
    state->cost += cost_of_run();
    word keys[MOST_SPECIAL], count = 0;
    for (unsigned index = 0; index < H->drawn_count && count < MOST_SPECIAL; index++)
        if (H->drawn[index].is_real) keys[count++] = H->drawn[index].key;
    if (found.end == ENDLESS || first + (kinds[1] != ANY_OTHER) >= count) return;
    for (word index = 0; index < 2; index++)
        if (kinds[index] != ANY_OTHER) choose(&state->trial, (struct choice){keys[first + index], SPECIAL, kinds[index]});
    found = run(job, &state->trial);
    state->cost += cost_of_run();
    take_marks(found.end == RETURNED || found.end == THREW, H->outcome);
    if (found.end >= ENDLESS || state->kept == MOST_OWN) return;
    state->trial.is_new = 0;
    state->kept_faults += found.end != RETURNED;
    copy(&state->inputs[state->kept++], &state->trial, sizeof state->trial);
}

static void special_inputs(const struct job *job) {
    static const word all[][2] = {
        {1, ANY_OTHER}, {0, ANY_OTHER}, {4, ANY_OTHER}, {2, ANY_OTHER}, {3, ANY_OTHER}, {5, ANY_OTHER}, {8, ANY_OTHER}, {10, ANY_OTHER}, {11, ANY_OTHER},
        {12, ANY_OTHER}, {13, ANY_OTHER}, {0, 1}, {1, 0}, {2, 3}, {4, 4}, {5, 5},
    };
    enum { SPECIALS = sizeof all / sizeof *all, OWN = 9 };
    struct state *state = H->state;
    word from = state->kept, own = plan()->reals < 3 ? plan()->reals * 3 : OWN;
    if (!from) return;
    run(job, &state->inputs[0]);
    int has_reals = 0;
    for (unsigned index = 0; index < H->drawn_count; index++) has_reals |= H->drawn[index].is_real != 0;
    for (; has_reals && state->specials < (SPECIALS + own) * MOST_SPECIAL;) {
        word which = state->specials++, kind = which / MOST_SPECIAL;
        const word constant[] = {FIRST_OWN + (kind - SPECIALS), ANY_OTHER};
        keep_special(job, from, which, kind < SPECIALS ? all[kind] : constant, which % MOST_SPECIAL);
    }
}

/* Long inputs: of each kind at most one, which goes through most of the function. Steps that all tries may take, and those
 * that are kept; tries for each kind; and how often a long one may not end. */
enum { MOST_STRETCHING = 12000000, MOST_LONG = 3000000, STRETCHES = 5, MOST_ENDLESS = 3 };

static void stretch_inputs(const struct job *job) {
    static const struct { word length; enum last_one last_one; } kinds[] = {
        {257, LOOKED_FOR}, {65537, LOOKED_FOR}, {257, LARGEST}, {65537, LIKE_OTHERS}, {257, SMALLEST}, {257, LIKE_OTHERS},
        {256, LIKE_OTHERS}, {65536, LIKE_OTHERS}, {65537, LARGEST}, {255, LIKE_OTHERS}, {65535, LIKE_OTHERS}, {65537, SMALLEST},
        {70000, ALL_LARGEST},
    };
    enum { KINDS = sizeof kinds / sizeof *kinds, LITERALS = 8, ALIKE = 256 };
    word alike = plan()->literals < LITERALS ? plan()->literals : LITERALS, all_kinds = alike + KINDS;
    struct state *state = H->state;
    word cost = 0, kept_cost = 0, endless = 0, from = state->kept;
    while (state->stretched < all_kinds && cost < MOST_STRETCHING && state->kept < MOST_OWN && from) {
        word which = state->stretched++, most = 0;
        /* The short ones come first. */
        word length = which < alike ? ALIKE : kinds[which - alike].length;
        enum last_one last_one = which < alike ? ALL_ALIKE : kinds[which - alike].last_one;
        struct input best;
        if (length > LARGE && endless >= MOST_ENDLESS) continue;
        for (word try = 0; try < STRETCHES; try++) {
            word random = mixed(plan()->seed ^ length << 20 ^ which, try);
            if (try % 3 == 2) state->trial = (struct input){.seed = random};
            else copy(&state->trial, &state->inputs[random % from], sizeof state->trial);
            choose(&state->trial, (struct choice){STRETCH, 1, stretched_to(length, last_one, which)});
            H->stretched = 0;
            struct result found = run(job, &state->trial);
            take_marks(found.end == RETURNED || found.end == THREW, H->outcome);
            word steps = cost_of_run();
            cost += steps;
            if (found.end == ENDLESS && H->stretched && length > LARGE && ++endless >= MOST_ENDLESS) break;
            /* Nothing has a length. */
            if (try == STRETCHES - 1 && !most && which == 0 && !H->stretched) { state->stretched = all_kinds; return; }
            if (found.end != RETURNED || !H->stretched || found.steps <= most || kept_cost + steps > MOST_LONG) continue;
            most = found.steps;
            best = state->trial;
        }
        if (!most) continue;
        best.is_new = 0;
        copy(&state->inputs[state->kept++], &best, sizeof best);
        kept_cost += most;
    }
}
