/* What the harness knows: the plan that it was given, what it has done so far, and the memory that is in use.
 *
 * The plan is an array of 64-bit words, written by the oracle; see plan.rs. All numbers in it that are called "at" are
 * indices of words. The state is a file that outlives this process: when a call ends it, the next process goes on behind
 * that call. This runtime is not built with sanitizers; what it runs is. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

typedef uint64_t word;

/* How the call of a function ended: `enum end` and `astray` stand before this file. program.rs writes them, out of the
 * list of ends. */
static int is_like(unsigned a, unsigned b) {
    enum { ACCESS = 3 };
    unsigned both = astray[a] & astray[b];
    return a == b || ((both & ACCESS) && (both & ~(unsigned)ACCESS));
}

enum kind { VOID, BOOLEAN, INTEGER, FLOATING, ENUMERATION, POINTER, ARRAY, RECORD, FUNCTION, STREAM, OPAQUE, STRING, VIEW, SEQUENCE, MADE, DISPATCH };
/* What the last word of a pointer says. */
enum { NEVER_NULL = 1, ALONE = 2 };

/* A type: its kind, its size in bytes, and more by its kind. */
struct type {
    word kind, size;
    /* INTEGER: bits, is signed, is a character · ENUMERATION: values at, count · POINTER: to, is indexed, is constant
     * · ARRAY: of, length · RECORD: fields at, count, is a union · FUNCTION: result, parameters at, count
     * · SEQUENCE: of · MADE: its elements, plus 1, and what belongs to each, plus 1 · DISPATCH: functions at, count */
    word a, b, c;
    /* RECORD: the type of the elements of an array at its end, plus 1 · POINTER: whether it may be null or shared */
    word last;
    /* RECORD, MADE: the number of its maker plus 1, times 2; plus 1 if it can be made in no other way */
    word made;
    /* RECORD: if it is taken for larger structs, where it stands how many these are, and their types */
    word wider;
};

struct field {
    word bit, type, bits, is_used;
};

struct plan {
    word mark, types_at, types, parameters_at, parameters, result, globals_at, globals, literals_at, literals, texts_at,
        texts, jobs_at, jobs, seed, tries, wanted, first, marks, makers_at, makers, ends_object, functions_at, functions,
        hints_at, hints, hinted_texts_at, hinted_texts, reals_at, reals, given_at, is_graded;
};

/* A job: function number, what memory is filled with, and what to do. */
struct job {
    word function, fill, what, fuel, input;
};
enum { EXPLORE = 0, RUN = 1, KILL = 2, TELL = 3, HUNT = 4, SEEK = 5, EXHAUST = 6, SAVE = 7, MEND = 8 };

/* How something was chosen instead of by the seed. */
struct choice {
    word key, how, value;
};

/* Of the inputs, so many at most are found for the original. */
enum { MOST_CHOICES = 24, MOST_OWN = 512, MOST_INPUTS = 640, MOST_MARKS = 4096, OWN_RELATIONS = 4096, MOST_RELATIONS = 8192, OUTCOMES = 4, MOST_COUNTS = 8192, MOST_VAIN = 4096 };

/* Steps of all tries together, of those that go on since they find something new, and with those for wrong edits; how often
 * a search for one begins anew; and after how many tries nothing new is expected any more. */
enum { MOST_COST = 20000000, MOST_GOING_ON = 80000000, MOST_HUNTED = 44000000, HUNTED = 200, STALE = 2000 };

/* An input: everything follows from the seed, but for what was chosen. */
struct input {
    word seed, count, is_new;
    struct choice choices[MOST_CHOICES];
};

struct result {
    word hash;
    uint32_t end, steps;
};

/* What a job saw of each input, and the marks that it reached. */
struct row {
    struct result of[MOST_INPUTS];
    unsigned char marks[MOST_MARKS];
};

struct state {
    word mark, job, input, tries, kept, kept_faults, is_done, cost;
    /* Marks that a call reached which returned, and the try that reached the last new thing. */
    word returned, last_new;
    /* How many inputs there were when the first wrong edit was hunted. */
    word hunted_from;
    /* How many lengths were tried of what is long, and how many floating-point and whole numbers at edges. */
    word stretched, specials, edges;
    unsigned char marks[MOST_MARKS], relations[OUTCOMES][MOST_RELATIONS];
    uint16_t counts[MOST_COUNTS];
    struct input inputs[MOST_INPUTS];
    struct input trial;
    /* One row for each job. */
    struct row rows[];
};

/* What makes objects of a class, puts elements in, and tells what is in one. */
struct estrange_maker {
    void *(*make)(void *at, long which, void **arguments);
    void (*add)(void *at, void *first, void *second);
    void (*each)(const void *at, void (*see)(long which, const void *at, long length));
};

/* What each function of the program brings. */
struct estrange_function {
    void (*call)(void **arguments, void *result);
    void *const *globals;
    void *code;
    const struct estrange_maker *makers;
} __attribute__((aligned(16)));
extern struct estrange_function __start_estrange_functions[], __stop_estrange_functions[];

/* Everything that changes while the harness works. It is kept out of the program's own data, which is set back before
 * each call. */
/* How many calls are told of where memory was taken. */
enum { TAKEN_AT = 8 };
struct region {
    char *base;
    size_t size;
    long type; /* -1: not known */
    char is_live, is_ours, is_seen, is_found, is_storage, made_by, is_reached;
    unsigned ordinal;
    /* Where the function took it, if leaks are looked for: addresses in the code. */
    word taken_at[TAKEN_AT];
};
/* Who made a block. How the harness has made what it hands over is not the function's to know. */
enum { BY_MALLOC = 0, BY_NEW = 1, BY_NEW_ARRAY = 2, BY_HARNESS = 3 };
enum { MOST_REGIONS = 4096, MOST_DRAWN = 1024, MOST_STUBS = 32, MOST_RECENT = 8, MOST_PAIRS = 256, MOST_PARAMETERS = 32, MOST_ARGUMENT = 4096, DESCRIPTORS = 200, FIRST_FILL = 0xA5, MOST_FRAMES = 24 };

struct drawn {
    word key, value, size, is_character, is_real;
};

/* Two sides of a comparison that were not equal, and where in the function it was made. */
struct pair {
    word sides[2], site;
};

/* A function that is handed in: it answers each call anew, or all alike. */
struct stub {
    long type;
    word key, calls, manner;
};
enum { NOTHING_ALWAYS = 0, SAME_ALWAYS = 1, MANNERS = 5 };

/* Where a variable of the program ends that something is in, and whether it is a text without name. */
enum { MOST_CONSTANTS = 1024 };
struct constant {
    const char *at, *end;
    int is_nameless;
};

struct recent {
    char *base;
    word length, type;
};

/* What the last element is of each sequence that is long: like the others, the largest, the smallest, or the only one that is
 * equal to a number handed in. Or what all of them are: as large as can be, or one of the numbers that the code has. */
enum last_one { LIKE_OTHERS, LARGEST, SMALLEST, LOOKED_FOR, ALL_LARGEST, ALL_ALIKE };
enum { MOST_SEQUENCES = 4 };
struct sequence {
    char *at;
    word type, size, count; /* type -1: a character */
};

struct harness {
    const word *plan;
    struct state *state;
    sigjmp_buf back;
    volatile int is_in_call, end;
    /* The stack: what is below `stack` is the function's, what is below `stack_base` is left when a call does not return.
     * What a signal interrupted ended at `interrupted`. */
    char *stack, *stack_base, *interrupted;
    /* Where in the code it ended: addresses, from the innermost call on; and the place that a sanitizer names. */
    word frames[MOST_FRAMES];
    unsigned frame_count, line, column;
    unsigned outcome;
    word left, steps, cost, path, longest;
    unsigned char fill;
    const struct estrange_maker *makers;
    /* What the unit has outside of functions, and behind that the functions that its code names. */
    void *const *globals;
    /* the input */
    struct input *input;
    struct drawn drawn[MOST_DRAWN];
    unsigned drawn_count;
    /* The choice that was changed last; and of each, by its key, how often that made no difference since it last did. */
    word changed;
    unsigned char vain[MOST_VAIN];
    unsigned objects;
    /* How long things are, how many are; whether it is a parameter that is built, and whether one before it is no address. */
    word stretch, stretched, chains;
    enum last_one last_one;
    word which_literal;
    struct sequence sequences[MOST_SEQUENCES];
    unsigned sequence_count;
    int is_parameter, is_nothing_handed;
    long double last_real;
    struct recent recent[MOST_RECENT];
    unsigned recent_count, recent_from;
    struct region regions[MOST_REGIONS];
    unsigned region_count;
    size_t in_use, allocations;
    /* Whether the library's allocator is at work, which must not be left in the middle; and whether the call is to end behind it. */
    volatile char is_allocating, is_overdue;
    int is_memory_short;
    struct stub stubs[2][MOST_STUBS];
    unsigned stub_counts[2];
    struct constant constants[MOST_CONSTANTS];
    FILE *streams[8];
    unsigned stream_count;
    /* what is observed */
    word hash;
    unsigned ordinals;
    unsigned queue[MOST_REGIONS], queue_from, queue_to;
    int tell;
    word told;
    /* Whether all is told that an input is made of; and how many descriptors of a given one were answered for. */
    int is_saving;
    word given_moves;
    word events;
    int touched_files;
    word clock, random;
    /* what the coverage says */
    unsigned char reached[MOST_MARKS], run_relations[MOST_RELATIONS], run_counts[MOST_COUNTS];
    word code_from, code_to;
    uint16_t reached_list[MOST_MARKS];
    unsigned reached_count;
    struct pair pairs[MOST_PAIRS];
    unsigned pair_count;
    char is_exploring, is_blind, is_second_call, is_marking;
    /* What is printed, and what is printed as errors. */
    int output, errors;
    char *saved, *saved_blocks;
    word runs, tick_of, ticks;
    char arguments[MOST_PARAMETERS][MOST_ARGUMENT] __attribute__((aligned(16)));
    char signal_stack[1 << 16];
};
static struct harness *H;

static const struct plan *plan(void) { return (const struct plan *)H->plan; }
static const struct type *type_of(word number) {
    return (const struct type *)(H->plan + plan()->types_at) + number;
}

/* Copies and fills without asking whether it may: the library's functions would ask the sanitizer. */
#define PLAIN __attribute__((optimize("no-tree-loop-distribute-patterns")))
PLAIN static void copy(void *to, const void *from, size_t count) {
    char *target = to;
    const char *source = from;
    for (struct { word words[8]; } each; count >= sizeof each; target += sizeof each, source += sizeof each, count -= sizeof each) {
        __builtin_memcpy(&each, source, sizeof each);
        __builtin_memcpy(target, &each, sizeof each);
    }
    while (count--) *target++ = *source++;
}
PLAIN static void fill(void *to, int value, size_t count) {
    char *target = to;
    const word all = (unsigned char)value * 0x0101010101010101u;
    for (; count >= sizeof all; target += sizeof all, count -= sizeof all) __builtin_memcpy(target, &all, sizeof all);
    while (count--) *target++ = (char)value;
}

static word mixed(word a, word b) {
    word z = a * 0x9E3779B97F4A7C15u + b + 0x632BE59BD9B4E019u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
