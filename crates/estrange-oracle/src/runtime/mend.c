/* Looking for inputs on which one function faults and a mended version of it does not. Where both fault is near: one of them
 * has been reached that matters, and it goes on from there. */

enum { MOST_MENDING = 12000000, MENDING_TRIES = 16000, MOST_MENDED = 24, STEPS_FROM_ONE = 8 };

static int is_a_fault(uint32_t end) { return (end > THREW && end < ENDLESS) || end == STACK_EXHAUSTED; }

/* How near the trial is: 2 if only the first one faults, 1 if both do. What was drawn is that of the first. */
static int nearness(const struct job *job) {
    struct state *state = H->state;
    struct job mended = *job, this = cut_short(job, mixed(state->tries++, 41), 4, 4000);
    mended.function = job->input;
    struct result other = run(&mended, &state->trial);
    state->cost += cost_of_run();
    struct result found = run(&this, &state->trial);
    state->cost += cost_of_run();
    if (found.end == RETURNED && found.steps > H->longest) H->longest = found.steps;
    if (!is_a_fault(found.end)) return 0;
    return other.end != NEVER && other.end <= THREW ? 2 : 1;
}

/* Keeps inputs on which the function faults and the one whose number is the job's input does not. */
static void mend(const struct job *job) {
    struct state *state = H->state;
    word from = state->kept, mended = 0;
    H->is_exploring = H->is_blind = 1;
    H->code_from = 0, H->code_to = UINT64_MAX;
    for (word try = 0; try < MENDING_TRIES && state->cost < MOST_MENDING && mended < MOST_MENDED && state->kept < MOST_INPUTS; try += STEPS_FROM_ONE) {
        word random = mixed(plan()->seed ^ 0x3e2d, try);
        if (from == 0 || random % 8 == 0) state->trial = (struct input){.seed = random};
        else copy(&state->trial, &state->inputs[(random >> 8) % from], sizeof state->trial);
        int near = nearness(job);
        for (int step = 0; step < STEPS_FROM_ONE && near < 2 && H->drawn_count > 0; step++) {
            random = mixed(random, (word)step);
            struct input before = state->trial;
            int is_done = random % 4 == 0 ? hint(random >> 2) : 0;
            if (!is_done && (random % 4 == 1 || !aim_there(random >> 4))) stray(random, 4);
            int now = nearness(job);
            if (now < near || (now == near && random >> 43 & 1)) state->trial = before;
            else near = now;
        }
        if (near < 2) continue;
        copy(&state->inputs[state->kept++], &state->trial, sizeof state->trial);
        mended++;
    }
    H->is_exploring = H->is_blind = 0;
}
