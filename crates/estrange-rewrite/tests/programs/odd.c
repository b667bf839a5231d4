#include <alloca.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPEN_LOOP(i, n) for (int i = 0; i < (n); i++) {
#define OPEN_IF(c) if (c) { total++;
#define CLOSE }
#define END_AND_RETURN(x) } return (x)
#define FAIL_IF(c, label) do { if (c) goto label; } while (0)
#define LEAVE_IF(c) if (c) break
#define PLUS +
#define GOES_ON __attribute__((fallthrough))
#define BODY(name, value) static int name(int n) { return n + value; }
#define LARGEST(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define KIND(x) _Generic((x), int: 1, long: 2, default: 3)

BODY(from_macro, 7)

static jmp_buf place;
static int released;

static void release(int *number) { released += *number; }

static int thrower(int n) {
    if (n > 3) longjmp(place, n);
    return n * 2;
}

static int jumps_back(int n) {
    volatile int total = 0;
    int code = setjmp(place);
    if (code != 0) return total * 100 + code;
    for (int i = 0; i < n; i++) { total = total + 1; thrower(i); }
    return total;
}

static int assembled(int n) {
    int result = n;
    if (n > 2) {
        __asm__ volatile("" : "+r"(result) : "i"(12), "r"(n) : "memory");
        result += 5;
    }
    return result * 3;
}

static int assembly_jumps(int n) {
    int total = 10;
    __asm__ goto("" : : "r"(n) : : out);
    total += n;
    if (n > 4) total *= 2;
    return total;
out:
    return -1;
}

static int variable_length(int n) {
    int total = 0;
    if (n < 1) return 5;
    int row[n], grid[n][2];
    for (int i = 0; i < n; i++) {
        char part[i + 1];
        memset(part, i, sizeof part);
        row[i] = part[i] * 3;
        grid[i][0] = row[i];
        grid[i][1] = (int)sizeof part;
    }
    for (int i = 0; i < n; i++) total += row[i] + grid[i][1] - grid[i][0] / 2;
    return total + (int)(sizeof row / sizeof row[0]);
}

static int of_given_length(int rows, int columns, int grid[rows][columns]) {
    int total = 0;
    for (int i = 0; i < rows; i++) for (int j = 0; j < columns; j++) total += grid[i][j] * (i + 2);
    int (*last)[columns] = &grid[rows - 1];
    return total + (*last)[0];
}

static int computed(const char *code) {
    static const void *const table[] = { &&add, &&twice, &&stop };
    int total = 1;
    goto *table[*code++ - '0'];
add:
    total += 3;
    goto *table[*code++ - '0'];
twice:
    total *= 2;
    goto *table[*code++ - '0'];
stop:
    return total;
}

static int valued(int n) {
    int a = ({ int t = n * 2; if (t > 6) t = 6; t + 1; });
    int b = LARGEST(n, a) + ({ for (int i = 0; i < 2; i++) a++; a; });
    while (({ int more = b > 20; more; })) b -= 5;
    return a * 100 + b;
}

static int on_the_stack(int n) {
    char *room = alloca((size_t)n + 8);
    int total = 0;
    for (int i = 0; i < n; i++) {
        char *more = alloca(16);
        more[0] = (char)('a' + i);
        room[i] = more[0];
    }
    room[n] = 0;
    for (int i = 0; room[i] != 0; i++) total += room[i] * (i + 1);
    return total;
}

static int any_number(const char *kinds, ...) {
    va_list list, again;
    int total = 0;
    va_start(list, kinds);
    va_copy(again, list);
    for (; *kinds != 0; kinds++) {
        switch (*kinds) {
        case 'i': total += va_arg(list, int); break;
        case 'l': total += (int)va_arg(list, long) * 2; break;
        default: { double d = va_arg(list, double); total -= (int)d; }
        }
    }
    total += va_arg(again, int);
    va_end(again);
    va_end(list);
    return total;
}

static int open_braces(int n) {
    int total = 3;
    OPEN_LOOP(i, n)
        total += i;
        if (total > 50) { total -= 40; }
    CLOSE
    OPEN_IF(n > 2)
        total *= 2;
    CLOSE
    for (int k = 0; k < 4; k++) {
        LEAVE_IF(total > 1000);
        total += k PLUS 5;
    CLOSE
    if (n > 6) {
        total += 9;
    END_AND_RETURN(total);
}

static int jumps_by_macro(int n) {
    int total = 40;
    FAIL_IF(n == 2, failed);
    total += n * 3;
    FAIL_IF(total > 55, failed);
    return total;
failed:
    total = -total;
    return total + 1;
}

static int cleaned(int n) {
    int total = 2;
    {
        __attribute__((cleanup(release))) int held = n + 4;
        total += held;
        if (n == 3) return total;
    }
    return total + released;
}

static int local_labels(int n) {
    __label__ again;
    int total = 0;
again:
    total += n--;
    if (n > 0) goto again;
    return total;
}

static int ranges(int n) {
    switch (n) {
    case -5 ... -1: return 7;
    case 0: n += 2; __attribute__((fallthrough));
    case 1: case 5 ... 8: n *= 3; GOES_ON;
    case 3: n++; break;
    default: n = n ?: 4;
    }
    return n ? : 12;
}

static int into_a_block(int n) {
    int total = 5;
    if (n > 3) goto inside;
    while (n < 6) {
        int step;
        total += 10;
inside:
        step = n % 3 + 1;
        total += step;
        n += 2;
    }
    return total;
}

static int old_style(a, b) int a; char b; {
    if (a > b) a = a - b; else a = b - a;
    return a * 2;
}

struct bits { unsigned low : 3; signed high : 5; unsigned : 0; int rest; };

static int in_pieces(int n) {
    struct bits b = { .low = (unsigned)n & 7u, .high = -3, .rest = n };
    struct { int x; union { int y; float z; }; } both = { 1, { 2 } };
    const int limit = 9;
    int *list = (int[]){ n, 4, limit }, total = 0;
    b.low += 5;
    b.high >>= 1;
    for (const int *p = list; p < list + 3; ++p) total = total + *p;
    both.y = total;
    return b.low * 100 + b.high + both.y + KIND(n) + KIND(2L) + b.rest;
}

static int guessed(int n) {
    __auto_type copy = n * 2L;
    __typeof__(n) other = 3;
    static _Thread_local int kept;
    volatile int watched = n;
    kept += n;
    watched++;
    other += watched, other *= 2;
    return (int)copy + other + kept + (__func__[0] != 0);
}

static int split_words(int n) {
    int total = 1\
5;
    const char *text = "one\
two";
    <% total += n <: "abcdefghijkl" :>; %>
    return total + (int)strlen(text);
}

static int asked(int n) {
#if 1
    if (n > 4) n += 3;
#else
    n = 0;
#endif
    for (int i = 0; i < 3; i++) n += i;
    return n;
}

static const int *same(const int *p) {
    if (!p) return 0;
    return p;
}

static int lent(int n) {
    const int *p, *q, *r = same((const int[]){ 7, n });
    p = (const int[]){ n, 2, 3 };
    q = n > 3 ? (const int[]){ 5, n } : p;
    if (n > 5) q = same(r);
    struct { const int *list; int count; } both = { .list = (const int[]){ 4, 6 }, .count = 2 };
    return p[1] * 100 + q[0] * 10 + r[1] + both.list[both.count - 1];
}

int main(void) {
    int grid[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    for (int i = 0; i < 9; i++) {
        printf("%d %d %d %d ", from_macro(i), jumps_back(i), assembled(i), assembly_jumps(i));
        printf("%d %d %d %d ", variable_length(i), valued(i), on_the_stack(i), open_braces(i));
        printf("%d %d %d %d ", jumps_by_macro(i), cleaned(i), local_labels(i), ranges(i - 4));
        printf("%d %d %d %d ", into_a_block(i), old_style(i, 'c'), in_pieces(i), guessed(i));
        printf("%d %d %d\n", split_words(i), asked(i), lent(i));
    }
    printf("%d %d %d\n", of_given_length(2, 3, grid), computed("00112"), computed("2"));
    printf("%d\n", any_number("ild", 4, 5L, 2.5, 1));
    printf("%d\n", released);
    return 0;
}
