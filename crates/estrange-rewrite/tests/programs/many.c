#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST(a, b) ((a) > (b) ? (a) : (b))
#define RETURN_IF(x, y) if (x) return (y)
#define ROUNDS 12
#define EACH(i, n) for (int i = 0; i < (n); i++)

enum colour { RED, GREEN = 5, BLUE };
struct point { int x, y; const char *name; };
static int calls;

static int clamp(int x, int low, int high) {
    if (x < low) return low;
    if (x > high) return high;
    return x;
}

static int note(int value) {
    calls++;
    return value;
}

static unsigned hash(const char *text) {
    unsigned h = 5381u;
    while (*text) {
        h = h * 33u + (unsigned char)*text++;
        h ^= h >> 7;
    }
    return h;
}

static int sum_of(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0) continue;
        s += i;
        while (s > 1000) {
            s -= n;
            if (s % 7 == 0) break;
        }
    }
    return s;
}

static int machine(const char *text) {
    int state = 0, count = 0;
again:
    switch (*text++) {
    case 'a': count++;
    case 'b': state = state * 2 + 1; break;
    case 'c': goto again;
    case '0': case '1': {
        int digit = text[-1] - '0';
        count += digit * 10;
        break;
    }
    case 0: goto done;
    default:
        if (state > 50) return -1;
        count--;
    }
    if (count < 100) goto again;
done:
    return count * 100 + state;
}

static int device(int n) {
    int total = 0;
    switch (n & 3) {
    case 0: do { total += 1;
    case 3: total += 10;
    case 2: total += 100;
    case 1: total += 1000; n -= 4;
        } while (n > 0);
    }
    return total;
}

static long scopes(int n) {
    long total = n;
    for (int i = 0; i < n; i++) {
        const int twice = 2 * i;
        char buffer[8] = "ab";
        long n = twice + buffer[1];
        struct point p = { .x = i, .y = twice };
        total += n + p.x * p.y;
        buffer[0] = 'z';
    }
    for (int i = n; i > 0; i--) {
        unsigned char n = (unsigned char)(i * 37);
        total -= n;
        if (total < -500) break;
    }
    { double n = 1.5; total += (long)(n * 4); }
    return total;
}

static int lengths(int n) {
    if (n < 1) return 0;
    int list[n];
    int last = 0;
    EACH(i, n) { list[i] = i * i; last = MOST(last, list[i] % 17); }
    for (int i = 0; i < n; i++) { if (list[i] > 200) { last += list[i]; break; } }
    return last;
}

static int choose(int code, int *place) {
    int r;
    RETURN_IF(code == 99, -99);
    if (code == 1) r = 10;
    else if (code == 2) r = 20;
    else if (code == 7) { *place += 3; r = *place; }
    else r = code > 3 ? GREEN : RED;
    if (place && *place > 2 && r) { r = r + 1; } else { r -= 1; }
    return r == 0 ? code : r;
}

static int rank(char c) {
    int r = 0;
    switch (c) {
    case 'a':
    case 'b': r = 1; break;
    case 'c': return 7;
    case 'x': r = 3; break;
    default: r = 2;
    }
    if (!r) return 0;
    return r;
}

static int find(const int *list, int n, int wanted) {
    int at = 0;
    while (at < n) {
        if (list[at] == wanted) break;
        if (list[at] < 0) { at += 2; continue; }
        ++at;
    }
    return at < n ? at : -1;
}

static int sort(int *list, int n) {
    int swaps = 0, again;
    do {
        again = 0;
        for (int i = 1; i < n; ++i) {
            if (list[i - 1] <= list[i]) continue;
            int t = list[i];
            list[i] = list[i - 1];
            *(list + i - 1) = t;
            again = 1;
            swaps += 1;
        }
    } while (again != 0);
    return swaps;
}

static int variadic(int n, ...) {
    va_list all;
    int total = 0;
    va_start(all, n);
    while (n-- > 0) { int v = va_arg(all, int); if (v < 0) goto out; total += v; }
out:
    va_end(all);
    return total;
}

static void fill(char *out, size_t size, const char *with) {
    size_t at = 0;
    static int used;
    if (size > 0) {
        const char *from = with;
        for (; at + 1 < size && *from; at++) { out[at] = *from++; if (out[at] == 'x') out[at] = '_'; }
        out[at] = 0;
        used++;
    }
}

static struct point middle(struct point a, struct point b) {
    struct point m = { 0 };
    if (a.x > b.x || !(a.y < b.y)) { m = b; m.name = strlen(a.name) > 2 ? "long" : "short"; return m; }
    m.x = (a.x + b.x) / 2;
    m.y = (a.y + b.y) >> 1;
    m.name = "middle";
    return m;
}

static int helped(int a, int b) {
    int x = clamp(a, 0, b);
    int high = note(x + 1);
    x = clamp(high * 2, note(-5), 40);
    while (x < 30 && clamp(x, 3, 25) < 25) x += note(2);
    note(x);
    return clamp(x + high, 1, 50);
}

static int extra(int a, unsigned b) {
    int c = a;
    int d = 3;
    if (a > 2 && b < 40) c = d + 1;
    a = a & 15;
    b = b | 1u;
    c = c + a;
    d = (int)d * 2;
    if (c > 10) c = 10; else c = a;
    if (strcmp("same", b > 20 ? "same" : "other") == 0) c += (int)strlen("three");
    int result = c * d + (int)b;
    return result;
}

static unsigned backwards(int n, unsigned start, int *list) {
    static const unsigned table[] = { 3, 1, 4, 1, 5, 9, 2, 6 };
    unsigned squares[ROUNDS], sum = start, mixed = 7;
    int i, flags = 0;
    long last = 0;
    for (i = 0; i < ROUNDS; i++) squares[i] = (unsigned)(i * i) + table[i % 8];
    for (i = 2; i < n; i++) {
        unsigned part = squares[i % ROUNDS];
        if (part % 2) continue;
        sum += part * (unsigned)i;
        mixed ^= sizeof part + (unsigned)i;
    }
    last += i;
    for (int at = -2; at <= n; at++) flags |= at * 3;
    for (size_t at = 0; at < ROUNDS; ++at) { squares[at] += 1; squares[at] *= 2u; }
    for (int at = 0; at < 7; at++) { if (list[at] > 4) list[at] -= 1; }
    for (i = 1; i < ROUNDS; i++) squares[i] += squares[i - 1];
    return sum ^ squares[ROUNDS - 1] ^ mixed ^ (unsigned)flags ^ (unsigned)last;
}

static int letters(int at) {
    const char vowels[] = { 'a', 'e', 'i', 'o', 'u', '\0' };
    static const char quoted[] = "say \"it\"";
    char odd[] = { '"', '\\', '?', 7, -1, '1', 0 };
    unsigned char room[8] = { 'x', 200 };
    int total = vowels[at % 5] + quoted[at % 8] + (int)strlen(quoted);
    odd[0]++;
    for (size_t each = 0; each < sizeof odd; each++) total = total * 3 + odd[each];
    return total + room[1] + room[7] + (int)sizeof room;
}

int main(void) {
    int list[] = { 5, 3, -1, 9, 2, 2, 8 };
    char buffer[12];
    int place = 1;
    for (int i = -3; i < 60; i++) printf("%d %d %ld %d %d ", sum_of(i), device(i + 4), scopes(i), lengths(i), choose(i, &place));
    for (int i = -10; i < 130; i++) printf("%d ", rank((char)i));
    printf("%d %d %d\n", machine("abcab01zz"), machine(""), machine("bbbbbbbbbzz"));
    printf("%d %d %d\n", find(list, 7, 9), find(list, 7, 4), sort(list, 7));
    for (int i = 0; i < 7; i++) printf("%d ", list[i]);
    printf("%d %d\n", variadic(3, 1, 2, 3), variadic(4, 1, 2, -3, 4));
    fill(buffer, sizeof buffer, "extra text that is long");
    struct point a = { 1, 2, "a" }, b = { 7, 9, "bcd" };
    struct point m = middle(a, b), o = middle(b, a);
    printf("%s %u %d %d %s %d %s\n", buffer, hash("hello"), m.x, m.y, m.name, o.x, o.name);
    for (int i = 0; i < 20; i++) printf("%d %d ", helped(i, 15), calls);
    for (int i = 0; i < 50; i++) printf("%d ", extra(i, (unsigned)i * 3));
    for (int i = 0; i < 40; i++) printf("%u %d ", backwards(i, (unsigned)i * 77u, list), letters(i));
    puts("");
    return 0;
}
