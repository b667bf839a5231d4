/* Looking for inputs that reach what only another text of the function has. What both have was searched before: the inputs
 * that were found then are where this begins, and they stay what they are. */

/* Steps of all tries together, tries, how long to go on without anything new, and how many inputs are added. */
enum { MOST_SOUGHT = 3000000, SOUGHT = 4000, NOTHING_NEW = 800, MOST_ADDED = 96, ADDED_ON_THE_WAY = 64 };

/* Puts a text there that only this side has, character by character: at the start of one that was handed in, mostly. */
static int hint_text(word random) {
    const word *at = H->plan + H->plan[plan()->hinted_texts_at + random % plan()->hinted_texts];
    const char *from = (const char *)(at + 1);
    word length = *at, start = (random >> 8) % H->drawn_count, any = (random >> 40) % 8 == 0;
    for (word index = 0; index < H->drawn_count; index++, start = (start + 1) % H->drawn_count)
        if (H->drawn[start].is_character && (any || start == 0 || !H->drawn[start - 1].is_character)) break;
    word count = 0;
    for (; count < length && start + count < H->drawn_count && H->drawn[start + count].is_character; count++)
        choose(&H->state->trial, (struct choice){H->drawn[start + count].key, 1, (unsigned char)from[count]});
    /* What is too short grows. */
    if (count < length && start > 0 && H->drawn[start - 1].size == MORE_TEXT) choose(&H->state->trial, (struct choice){H->drawn[start - 1].key, 2, mixed(random, 7)});
    return count > 0 || count < length;
}

/* Puts a number or text there that only this side has. */
static int hint(word random) {
    if (H->drawn_count == 0) return 0;
    int has_numbers = plan()->hints > 0, has_texts = plan()->hinted_texts > 0;
    if (has_texts && (!has_numbers || random & 1)) return hint_text(random >> 1);
    if (!has_numbers) return 0;
    static const int steps[] = {0, 0, 1, -1};
    word value = H->plan[plan()->hints_at + (random >> 1) % plan()->hints] + (word)steps[random >> 16 & 3];
    for (word index = 0; index < H->drawn_count; index++) {
        const struct drawn *drawn = &H->drawn[((random >> 20) + index) % H->drawn_count];
        if (!is_number(drawn)) continue;
        choose(&H->state->trial, (struct choice){drawn->key, 1, cut(value, drawn->size * 8)});
        return 1;
    }
    return 0;
}

/* Sets all numbers that were what one was to what that is now: code may ask whether they are equal. */
static void move_alike(word key, word was, word size) {
    const struct input *trial = &H->state->trial;
    for (word index = 0; index < trial->count; index++) {
        if (trial->choices[index].key != key || trial->choices[index].how != 1) continue;
        word value = trial->choices[index].value;
        for (unsigned other = 0, moved = 0; other < H->drawn_count && moved < 6; other++) {
            const struct drawn *drawn = &H->drawn[other];
            if (drawn->key == key || !is_number(drawn) || drawn->size != size || drawn->value != was) continue;
            choose(&H->state->trial, (struct choice){drawn->key, 1, value});
            moved++;
        }
        return;
    }
}

/* Aims at a comparison, now and then with all that is equal to what is changed. */
static int aim_there(word random) {
    if (!aim(random)) return 0;
    if (mixed(random, 77) % 3) return 1;
    for (unsigned index = 0; index < H->drawn_count; index++)
        if (H->drawn[index].key == H->changed && is_number(&H->drawn[index])) {
            move_alike(H->changed, H->drawn[index].value, H->drawn[index].size);
            break;
        }
    return 1;
}

/* Tries the trial; keeps it if it reaches something new. */
static int attempt_there(const struct job *job, word from, word *on_the_way) {
    struct state *state = H->state;
    struct job this = cut_short(job, mixed(state->tries++, 37), 4, 4000);
    struct result found = run(&this, &state->trial);
    state->cost += cost_of_run();
    if (found.end == RETURNED && found.steps > H->longest) H->longest = found.steps;
    word returned = state->returned;
    int is_new = take_marks(found.end == RETURNED || found.end == THREW, H->outcome);
    if (found.end >= ENDLESS || !is_new) return 0;
    int is_reached = state->returned > returned;
    if (is_new & IN_ITSELF) state->last_new = state->tries;
    if (state->kept == MOST_INPUTS || state->kept >= from + MOST_ADDED) return is_new;
    if (!is_reached && ++*on_the_way > ADDED_ON_THE_WAY) return is_new;
    state->trial.is_new = (word)is_new;
    copy(&state->inputs[state->kept++], &state->trial, sizeof state->trial);
    return is_new;
}

static int is_sought(void) {
    const struct state *state = H->state;
    return state->returned < plan()->marks && state->tries < SOUGHT && state->cost < MOST_SOUGHT && state->tries < state->last_new + NOTHING_NEW;
}

static void seek(const struct job *job) {
    struct state *state = H->state;
    word from = state->kept, on_the_way = 0;
    H->is_exploring = H->is_blind = 1;
    /* All comparisons count: this text is the only one in the program that is searched. */
    H->code_from = 0, H->code_to = UINT64_MAX;
    state->last_new = 0;
    /* What is there already is not new. */
    for (word at = 0; at < from && state->cost < MOST_SOUGHT / 4; at++) {
        struct result found = run(job, &state->inputs[at]);
        state->cost += cost_of_run();
        if (found.end == RETURNED && found.steps > H->longest) H->longest = found.steps;
        take_marks(found.end == RETURNED || found.end == THREW, H->outcome);
    }
    for (word try = 0; is_sought(); try++) {
        word random = mixed(plan()->seed ^ 0x5eec, try);
        /* From what was found here, as soon as there is something, or from what is there. */
        word added = state->kept - from, which = added && random % 3 ? from + (random >> 8) % added : (random >> 8) % state->kept;
        if (added && random % 3 == 1) which = state->kept - 1 - (random >> 8) % (added < 4 ? added : 4);
        if (random % 16 == 0) state->trial = (struct input){.seed = random};
        else copy(&state->trial, &state->inputs[which], sizeof state->trial);
        attempt_there(job, from, &on_the_way);
        int is_climb = random >> 43 & 3;
        for (int step = 0; step < 6 && is_sought(); step++) {
            random = mixed(random, (word)step);
            if (H->drawn_count == 0) break;
            struct input before = state->trial;
            word path = H->path;
            int is_done = random % 4 == 0 ? hint(random >> 2) : 0;
            if (!is_done && (random % 16 == 1 || !aim_there(random >> 4))) stray(random, 4);
            int is_new = attempt_there(job, from, &on_the_way);
            if (H->path == path || (is_climb && !is_new)) state->trial = before;
        }
    }
    H->is_exploring = H->is_blind = 0;
}
