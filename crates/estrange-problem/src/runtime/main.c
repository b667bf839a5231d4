/* Runs an answer: each case in a process of its own, and what came of it goes to the caller as it ends.
 *
 * Arguments: the answer and the code that calls it (shared libraries), the symbol of the entry, the symbol of the function
 * (`-` if the entry is the `main` of a program of tests). Standard input: a word that only who got to the end can say, the
 * limits, and the cases. Nothing here knows what is expected. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef unsigned long long word;
enum { TOKEN = 16, MOST_SAID = 32 << 10, OUR_FILES = 100, TICK = 20 };
enum { RETURNED = 'R', THREW = 'T', NOT_LOADED = 'L' };
enum { BY_ITSELF, TIMED_OUT, OVER_OUTPUT };

static char *input;
static size_t input_size;
static word cpu_limit, wall_limit, most_told;

/* The child's side. */
static struct estrange_host host;
static unsigned char *told;
static word told_size, told_room;
static int tell_to;

static word take(void) {
    word number;
    memcpy(&number, host.at, sizeof number);
    host.at += sizeof number;
    return number;
}
static unsigned char take_byte(void) { return *host.at++; }
static void take_into(char *into, word count) {
    memcpy(into, host.at, count);
    host.at += count;
}
static void *make(word size) { return malloc(size); }
static char *take_text(void) {
    word length = take();
    char *text = make(length + 1);
    take_into(text, length);
    text[length] = 0;
    return text;
}
static void give_bytes(const void *bytes, word count) {
    if (told_size + count > told_room) {
        told_room = (told_size + count) * 2 + 4096;
        told = realloc(told, told_room);
        if (!told || told_room > 4 * most_told) _exit(98);
    }
    memcpy(told + told_size, bytes, count);
    told_size += count;
}
static void give(word number) { give_bytes(&number, sizeof number); }
static void give_byte(unsigned char byte) { give_bytes(&byte, 1); }
static void give_text(const char *text) {
    give_byte(text != NULL);
    if (!text) return;
    word length = strlen(text);
    give(length);
    give_bytes(text, length);
}
static void touch(const void *from, word size) {
    const volatile unsigned char *at = from;
    for (word index = 0; index < size; index++) (void)at[index];
}

static int write_all(int to, const void *bytes, size_t count) {
    for (size_t done = 0; done < count;) {
        ssize_t written = write(to, (const char *)bytes + done, count - done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return 0;
        done += (size_t)written;
    }
    return 1;
}

/* Says how it went, and ends the process before anything else of the answer runs. */
static _Noreturn void tell(const char *token, char how, const void *bytes, word count) {
    char head[TOKEN + 1];
    memcpy(head, token, TOKEN);
    head[TOKEN] = how;
    if (write_all(tell_to, head, sizeof head)) write_all(tell_to, bytes, count);
    _exit(0);
}

static _Noreturn void in_child(char **arguments, const unsigned char *from) {
    char token[TOKEN];
    memcpy(token, input, TOKEN);
    memset(input, 0, TOKEN);
    void *answer = dlopen(arguments[1], RTLD_NOW | RTLD_GLOBAL);
    void *caller = answer ? dlopen(arguments[2], RTLD_NOW | RTLD_LOCAL) : NULL;
    void *entry = caller ? dlsym(caller, arguments[3]) : NULL;
    int is_program = strcmp(arguments[4], "-") == 0;
    void *target = entry && !is_program ? dlsym(answer, arguments[4]) : NULL;
    if (!entry || (!target && !is_program)) {
        const char *why = dlerror();
        if (!why) why = "the function is not there";
        tell(token, NOT_LOADED, why, strlen(why));
    }
    if (is_program) {
        char *names[] = {"tests", NULL};
        give((word)((int (*)(int, char **, char **))entry)(1, names, environ));
        tell(token, RETURNED, told, told_size);
    }
    host = (struct estrange_host){target, from, take, take_byte, take_text, take_into, make, give, give_byte, give_bytes, give_text, touch};
    int threw = ((int (*)(struct estrange_host *))entry)(&host);
    tell(token, threw ? THREW : RETURNED, told, told_size);
}

/* The parent's side. */
struct kept {
    char *bytes;
    size_t size, room, most;
    int is_over;
};

/* Reads what is there; 0 at its end. What is more than is kept pushes out what came first, or is too much. */
static int read_some(int from, struct kept *kept, int keeps_last) {
    char chunk[64 << 10];
    ssize_t count = read(from, chunk, sizeof chunk);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (count == 0) return 0;
    if (kept->size + (size_t)count > kept->most && !keeps_last) return kept->is_over = 1;
    if (kept->size + (size_t)count > kept->room) {
        kept->room = kept->size + (size_t)count + sizeof chunk;
        kept->bytes = realloc(kept->bytes, kept->room);
        if (!kept->bytes) exit(99);
    }
    memcpy(kept->bytes + kept->size, chunk, (size_t)count);
    kept->size += (size_t)count;
    if (keeps_last && kept->size > kept->most) {
        memmove(kept->bytes, kept->bytes + kept->size - kept->most, kept->most);
        kept->size = kept->most;
    }
    return 1;
}

static word milliseconds(clockid_t clock) {
    struct timespec time = {0};
    clock_gettime(clock, &time);
    return (word)time.tv_sec * 1000 + (word)time.tv_nsec / 1000000;
}

static void run_case(word number, char **arguments, const unsigned char *from, int null, int to) {
    int results[2], errors[2];
    if (pipe2(results, O_CLOEXEC) || pipe2(errors, O_CLOEXEC)) exit(97);
    pid_t child = fork();
    if (child < 0) exit(96);
    if (child == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        tell_to = fcntl(results[1], F_DUPFD_CLOEXEC, OUR_FILES);
        dup2(null, 0), dup2(null, 1), dup2(errors[1], 2);
        for (int file = 3; file < OUR_FILES; file++) close(file);
        close(to);
        prctl(PR_SET_DUMPABLE, 1);
        signal(SIGPIPE, SIG_DFL);
        in_child(arguments, from);
    }
    setpgid(child, child);
    close(results[1]), close(errors[1]);
    fcntl(results[0], F_SETFL, O_NONBLOCK), fcntl(errors[0], F_SETFL, O_NONBLOCK);
    struct kept result = {.most = most_told}, said = {.most = MOST_SAID};
    word started = milliseconds(CLOCK_MONOTONIC), used = 0;
    clockid_t clock;
    int has_clock = clock_getcpuclockid(child, &clock) == 0;
    int status = 0, how = BY_ITSELF, is_open[2] = {1, 1};
    for (;;) {
        if (has_clock) used = milliseconds(clock);
        struct rusage usage;
        if (wait4(child, &status, WNOHANG, &usage) == child) {
            used = (word)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 + (word)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
            break;
        }
        if (result.is_over) how = OVER_OUTPUT;
        else if (used >= cpu_limit || milliseconds(CLOCK_MONOTONIC) - started >= wall_limit) how = TIMED_OUT;
        if (how != BY_ITSELF) {
            kill(-child, SIGKILL), kill(child, SIGKILL);
            waitpid(child, &status, 0);
            break;
        }
        struct pollfd polled[2] = {{is_open[0] ? results[0] : -1, POLLIN, 0}, {is_open[1] ? errors[0] : -1, POLLIN, 0}};
        /* Both ends are closed: it is about to end. */
        poll(polled, 2, is_open[0] || is_open[1] ? TICK : 1);
        if (polled[0].revents) is_open[0] = read_some(results[0], &result, 0);
        if (polled[1].revents) is_open[1] = read_some(errors[0], &said, 1);
    }
    kill(-child, SIGKILL);
    for (size_t before = 1, size = 0; before != size && !result.is_over;) {
        before = size;
        read_some(results[0], &result, 0);
        size = result.size;
    }
    for (int count = 0; count < 64 && read_some(errors[0], &said, 1); count++) {
        struct pollfd more = {errors[0], POLLIN, 0};
        if (poll(&more, 1, 0) <= 0) break;
    }
    if (result.is_over) how = OVER_OUTPUT;
    word head[6] = {number, (word)how, (word)(unsigned)status, used, result.size, said.size};
    if (!write_all(to, head, sizeof head) || !write_all(to, result.bytes, result.size) || !write_all(to, said.bytes, said.size)) exit(95);
    free(result.bytes), free(said.bytes);
    close(results[0]), close(errors[0]);
}

int main(int count, char **arguments) {
    if (count != 5) return 94;
    for (ssize_t got = 1; got > 0;) {
        input = realloc(input, input_size + (1 << 20));
        if (!input) return 93;
        got = read(0, input + input_size, 1 << 20);
        if (got > 0) input_size += (size_t)got;
    }
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int to = fcntl(1, F_DUPFD_CLOEXEC, OUR_FILES);
    if (null < 0 || to < 0) return 92;
    dup2(null, 0), dup2(null, 1);
    prctl(PR_SET_DUMPABLE, 0);
    signal(SIGPIPE, SIG_IGN);
    host.at = (unsigned char *)input + TOKEN;
    cpu_limit = take(), wall_limit = take(), most_told = take();
    word cases = take(), first = take();
    for (word number = 0; number < cases; number++) {
        word size = take();
        const unsigned char *from = host.at;
        run_case(first + number, arguments, from, null, to);
        host.at = from + size;
    }
    word end[6] = {~0ull, 0, 0, 0, 0, 0};
    return write_all(to, end, sizeof end) ? 0 : 91;
}
