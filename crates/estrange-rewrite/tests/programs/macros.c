#include <stdio.h>
#include <string.h>

#define NOTHING
#define IGNORE(x)
#define SET(place, value) place = value
#define SET_BOTH(a, b, value) a = value; b = value
#define SWAP(a, b) do { int t_ = a; a = b; b = t_; } while (0)
#define SWAP_WITH_END(a, b) { int t_ = a; a = b; b = t_; };
#define RETURN(x) return x
#define RETURN_IF(c, x) if (c) return x
#define OTHERWISE else
#define UNLESS(c) if (!(c))
#define CONTINUE_IF(c) if (c) continue
#define STOP break
#define FOREVER for (;;)
#define EACH(i, n) for (int i = 0; i < (n); i++)
#define EACH_OF(i, list, n) for (i = 0; i < n && (list)[i]; i++)
#define CASE(x) case x: total += 100
#define DEFAULT default
#define AND &&
#define EQUALS ==
#define ADD_TO(a) a +=
#define BEGIN {
#define END }
#define DECLARE(type, name) type name = 0
#define DECLARE_TWO(a, b) int a = 1, b = 2
#define TWICE(x) ((x) + (x))
#define BARE(a, b) a + b
#define CHOOSE(c, a, b) c ? a : b
#define TEXT(x) #x
#define JOIN(a, b) a##b
#define ELEMENT(p, i) p[i]
#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))
#define FIELD(p) (p)->x
#define MINUS_ONE -1
#define SIX 6
#define IS(x) (x) == SIX
#define CALL(f, ...) f(__VA_ARGS__)
#define LABEL(name) name:
#define GOTO(name) goto name
#define CHECK(c) if (!(c)) { total -= 7; goto failed; }
#define DO do
#define WHILE(c) while (c)

struct pair { int x, y; };

static int helper(int a, int b) { RETURN_IF(a > b, a - b); return b; }

static int plain(int n) {
    DECLARE(int, total);
    DECLARE_TWO(first, second);
    NOTHING;
    NOTHING total += n;
    IGNORE(total) total++;
    SET(first, n * 3);
    SET_BOTH(first, second, n);
    SWAP(first, total);
    SWAP_WITH_END(second, total)
    ADD_TO(total) first MINUS_ONE;
    IGNORE(n);
    if (n > 3) SET(total, TWICE(n)); else SWAP(total, first);
    if (IS(n)) total++;
    else total--;
    RETURN(total * 2 + first + second);
}

static int branching(int n) {
    int total = 4;
    UNLESS(n > 2) total = 9; OTHERWISE total = 11;
    if (n > 1 AND n < 7) { if (n EQUALS 4) total += 3; else total -= 2; }
    if (n == 5) BEGIN total *= 2; END
    RETURN_IF(n == 3, total);
    if (n > 6) RETURN(n); else { RETURN_IF(total == 1, 8); total = CHOOSE(n > 2, total + 1, total - 1); }
    total = CHOOSE(total > 5, 7, total);
    total = n % 2 ? TWICE(total) : BARE(total, 1);
    total = BARE(total, 2) * 3;
    if (!(IS(total)) && !(n EQUALS 2)) total++;
    return IS(n) ? total : -total;
}

static int looping(int n) {
    int total = 0, i, list[] = { 3, 1, 4, 1, 5, 0, 9 };
    EACH(k, n) { CONTINUE_IF(k % 2); total += k; }
    EACH(k, n) total += k;
    EACH_OF(i, list, 7) { if (list[i] == 5) STOP; total += ELEMENT(list, i); }
    FOREVER { total++; if (total % 7 == 0) STOP; }
    DO { total += 2; } WHILE(total < 20);
    do SET(total, total + 3); while (total < 25);
    while (total < 40) SET(total, total + n + 1);
    for (size_t k = 0; k < LENGTH(list); k++) { ADD_TO(list[k]) 2; }
    for (unsigned k = 0; k < LENGTH(list); k++) list[k] = SIX;
    for (int k = 0; k < SIX; k++) { unsigned mask = 1u << k; ELEMENT(list, k) ^= (int)mask; }
    return total + i + list[2];
}

static int switching(int n) {
    int total = 0;
    switch (n) {
    CASE(1); break;
    CASE(2), total++; break;
    case 3: CHECK(n == 3) STOP;
    case SIX: total = SIX; STOP;
    DEFAULT: total = -1;
    }
    switch (n % 3) { case 0: SET(total, total + 1); break; case 1: RETURN(total); default: SWAP(total, n); }
    CHECK(n != 4)
    LABEL(again)
    total += 2;
    if (total < 9) GOTO(again);
    return total;
failed:
    return total - 100;
}

static int valued(int n, struct pair *p) {
    const char *name = TEXT(5 + 1), letters[] = { 'a', 'b', SIX, 0 };
    int JOIN(value_, 1) = CALL(helper, n, 3), total = value_1;
    FIELD(p) += n;
    FIELD(p)++;
    p->y = FIELD(p) * SIX - MINUS_ONE;
    total += CALL(helper, n * 2, TWICE(n));
    int result = helper(TWICE(n), 4) + helper(SIX, n);
    result = result + BARE(n, 3);
    result = (int)result;
    total = total - result MINUS_ONE;
    helper(total, n);
    return total + (int)strlen(name) + letters[n % 3] + p->x + p->y;
}

int main(void) {
    struct pair p = { 1, 2 };
    for (int i = 0; i < 10; i++)
        printf("%d %d %d %d %d\n", plain(i), branching(i), looping(i), switching(i), valued(i, &p));
    return 0;
}
