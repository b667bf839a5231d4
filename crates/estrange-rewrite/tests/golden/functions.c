/* Functions that every rewrite has something to do in; no header, so that nothing depends on the machine. */
enum colour { RED, GREEN = 5, BLUE };
typedef struct item { int weight; struct item *next; const char *name; } Item;
typedef int (*compare)(const Item *, const Item *);
#define LIMIT 12
#define MOST(a, b) ((a) > (b) ? (a) : (b))
int show(const char *text, int number);

static int clamp(int value, int low, int high)
{
    if (value < low)
        return low; /* not less */
    if (value > high) return high;
    return value;
}

static unsigned hash(const char *text)
{
    unsigned sum = 5381u;
    while (*text) {
        sum = sum * 33u + (unsigned char)*text++;
        if (sum == 77u) break;
        sum ^= sum >> 7;
    }
    return sum;
}

int heaviest(const Item *item, compare before, int limit)
{
    const Item *best = 0;
    int count = 0, total = 0, answer;
    for (; item && count < limit; item = item->next, count++) {
        if (!best || (before(best, item) < 0 && item->weight != LIMIT))
            best = item;
        total = total + clamp(item->weight, 0, 100);
    }
    answer = best ? MOST(best->weight, total) : -1;
    return answer;
}

int fill(int *list, int n, int kind)
{
    int first = 3;
    int second = first + GREEN;
    char word[] = { 'a', 'b', 0 };
    int i;
    for (i = 0; i < n; i++)
        list[i] = (int)first * i;
    switch (kind) {
    case 1: second += 2; break;
    case 2: second = *list; break;
    default: second--;
    }
    if (kind == 7) first = 1; else if (kind == 8) first = 2; else first = 4;
    do {
        second -= show("value", (int)hash(word));
        if (second < 9) n = second; else n = first;
    } while (second > 40 || n > 50);
    if (n > 3) {
        show(word, n);
        list[0] = n + second;
    }
    return list[0] + n;
}
