/* Compiles many texts in one run of gcc's compiler proper, each as if it were compiled alone.
 *
 * Loaded before the C library, this answers the compiler's opening of a file named "estrange.fork.N" by copying the
 * whole process once for each text that may follow there; the copy reads that text, and ends as a compiler does. What
 * stands before (the start of the compiler, the headers) is done once for all of them.
 *
 * ESTRANGE_PLAN names a file: the marker's line, the number of entries, for each the offset and length of its text,
 * its first follower and the number of its followers (none: its text is the last of a unit), and then the texts.
 * After each unit, its entry and how its process ended are written behind the marker, to both outputs. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static struct entry {
    unsigned long offset, length, first, count;
} *entries;
static unsigned long current;
static int texts = -1;
static long base;
static char marker[128];

static void fail(const char *what) {
    fprintf(stderr, "estrange: %s: %s\n", what, strerror(errno));
    _exit(125);
}

static void read_plan(void) {
    const char *path = getenv("ESTRANGE_PLAN");
    FILE *plan = path ? fopen(path, "re") : NULL;
    unsigned long count, i;
    if (!plan || fscanf(plan, "%127s %lu", marker, &count) != 2) fail("plan");
    entries = calloc(count + 1, sizeof *entries);
    for (i = 0; i < count; i++)
        if (fscanf(plan, "%lu %lu %lu %lu", &entries[i].offset, &entries[i].length, &entries[i].first,
                   &entries[i].count) != 4)
            fail("plan");
    fgetc(plan);
    base = ftell(plan);
    fclose(plan);
    texts = open(path, O_RDONLY | O_CLOEXEC);
    if (texts < 0) fail("texts");
}

/* The entry's text as a file by itself, without a name. */
static int text_of(const struct entry *entry) {
    const char *folder = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/XXXXXX", folder ? folder : "/tmp");
    int file = mkostemp(path, O_CLOEXEC);
    if (file >= 0) unlink(path);
    char *text = malloc(entry->length + 1);
    if (file < 0 || !text) fail("text");
    if (pread(texts, text, entry->length, base + entry->offset) != (ssize_t)entry->length) fail("text");
    if (write(file, text, entry->length) != (ssize_t)entry->length) fail("text");
    free(text);
    lseek(file, 0, SEEK_SET);
    return file;
}

static void say(int file, const char *text, int length) {
    while (length > 0) {
        ssize_t written = write(file, text, length);
        if (written < 0 && errno != EINTR) _exit(125);
        if (written > 0) text += written, length -= written;
    }
}

static void bound(int resource, unsigned long value) {
    struct rlimit limit = {value, value};
    setrlimit(resource, &limit);
}

static int follow(void) {
    /* What every unit would do before its first function. Without it the result is the same, and comes later. */
    void (*prepare)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "_Z14initialize_rtlv");
    unsigned long i, last;
    /* A unit that includes a file of this name itself does not find one. */
    if (entries ? entries[current].count == 0 : !getenv("ESTRANGE_PLAN")) return errno = ENOENT, -1;
    if (!entries) {
        read_plan();
        if (prepare && !getenv("ESTRANGE_SYNTAX")) prepare();
    }
    pid_t self = getpid();
    last = entries[current].first + entries[current].count;
    for (i = entries[current].first; i < last; i++) {
        int status = 0;
        pid_t child = fork();
        if (child < 0) fail("fork");
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (getppid() != self) _exit(125);
            current = i;
            if (entries[i].count == 0) {
                bound(RLIMIT_CPU, 60);
                bound(RLIMIT_AS, 2ul << 30);
                bound(RLIMIT_CORE, 0);
            }
            return text_of(&entries[i]);
        }
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
        if (entries[i].count == 0) {
            char line[256];
            int length = snprintf(line, sizeof line, "\n%s %lu %d\n", marker, i, status);
            say(1, line, length);
            say(2, line, length);
        }
    }
    _exit(0);
}

int open(const char *path, int flags, ...) {
    static int (*real)(const char *, int, ...);
    va_list rest;
    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    if (!real) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    const char *name = strrchr(path, '/');
    if (strncmp(name ? name + 1 : path, "estrange.fork.", 14) == 0) return follow();
    return real(path, flags, mode);
}
