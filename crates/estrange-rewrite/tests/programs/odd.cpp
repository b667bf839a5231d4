#include <cstdio>

namespace shapes {

struct Log {
    static int depth;
    int id;
    explicit Log(int id) : id(id) { depth = (depth * 2 + id) % 1000; }
    Log(const Log &other) : id(other.id + 1) { depth += 7; }
    Log &operator=(const Log &other) { id = other.id * 2; depth += 3; return *this; }
    ~Log() { depth -= id; }
    bool operator<(const Log &other) const { depth++; return id < other.id; }
    bool operator!() const { depth += 5; return id == 0; }
    Log operator+(const Log &other) const { return Log(id + other.id); }
    explicit operator bool() const { depth += 2; return id != 0; }
};

int Log::depth = 1;

enum class Colour : unsigned char { red = 2, green = 4 };

struct Point { int x = 1, y = 2; };

class Stack {
    int items[8];
    int count = 0;
    static const int most = 8;

public:
    Stack() {}
    bool push(int value) {
        if (count >= most) return false;
        items[count++] = value;
        return true;
    }
    int total() const {
        int sum = 0;
        for (int i = 0; i < count; i++) sum += items[i];
        return sum;
    }
    void clear() {
        for (int i = 0; i < most; i++) items[i] = 0;
        count = 0;
    }
    const int *begin() const { return items; }
    const int *end() const { return items + count; }
    int &operator[](int at) { return items[at % most]; }
};

int objects(int n) {
    Log first(n);
    if (n > 3) {
        Log second(n + 1);
        if (second < first) return 1;
        first = second;
    }
    const Log third = first + Log(2);
    if (!third || n == 2) return third.id;
    switch (n) {
    case 1: { Log inner(9); return inner.id + Log::depth; }
    case 4: return 44;
    default: break;
    }
    for (int i = 0; i < 3; i++) {
        Log each(i);
        if (i == 1 && n == 5) continue;
        if (each) Log::depth += i;
    }
    return first.id + third.id;
}

int references(int n, int &out, const Point &from) {
    int a = n, b = 3;
    int &chosen = n > 2 ? a : b;
    const int &bound = n + 5;
    int &&moved = n * 2;
    chosen += 10;
    out = chosen + bound;
    moved++;
    Point copy = from;
    auto &[x, y] = copy;
    x += n;
    return a * 100 + b + moved + copy.x + y;
}

int ranges(int n) {
    Stack stack;
    int list[] = { 1, 2, 3, 4 };
    for (int i = 0; i < n; i++) stack.push(i * 3);
    int total = 0;
    for (int &each : list) each += n;
    for (const int each : stack) {
        if (each == 6) continue;
        total += each;
        if (total > 30) break;
    }
    for (auto each : list) total = total * 2 + each;
    stack[2] = 5;
    total += stack.total();
    stack.clear();
    return total + stack.total();
}

int lambdas(int n) {
    int count = 0, factor = n + 1;
    auto add = [&count, factor](int x) { if (x > 2) return; count += x * factor; };
    auto twice = [=](auto x) mutable -> int { factor++; return x * 2 + factor; };
    for (int i = 0; i < 5; i++) add(i);
    int total = twice(3) + count;
    if (int extra = total % 7; extra > 2) total += extra; else total -= extra;
    while (int rest = total % 5) total -= rest;
    return total;
}

int thrower(int n) {
    Log held(n);
    if (n == 3) throw n;
    if (n == 5) throw "text";
    return n * 2;
}

int exceptions(int n) {
    int total = 0;
    for (int i = 0; i < n; i++) {
        try {
            Log inner(i);
            total += thrower(i);
            if (total > 20) break;
        } catch (int code) {
            total -= code;
            continue;
        } catch (...) {
            total += 100;
            if (n == 7) throw;
        }
        total++;
    }
    return total;
}

int whole_try(int n) try {
    if (n > 2) throw n;
    return n;
} catch (int code) {
    return -code;
}

template <typename T, int N>
T templated(const T (&list)[N], T start) {
    T total = start;
    for (int i = 0; i < N; i++) {
        if (list[i] < start) continue;
        total += list[i];
    }
    if constexpr (N > 2) return total * 2;
    else return total;
}

template <typename... All>
int folded(All... all) {
    int total = 4;
    ((total += all), ...);
    return sizeof...(all) > 2 ? total : -total;
}

constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

int colours(int n, Colour colour = Colour::green) {
    static const char *const names[] = { "red", "green" };
    const unsigned char number = static_cast<unsigned char>(colour);
    bool is_red = colour == Colour::red;
    int *made = new int[3]{ n, 2, number };
    int total = made[0] + made[1] + made[2];
    delete[] made;
    switch (colour) {
    case Colour::red: total += 5; break;
    case Colour::green: total *= 2; break;
    }
    total += is_red && n > 2 || !(n < 1) ? 3 : names[0][0];
    const char letters[] = { 'a', 'b', 0 };
    static_assert(factorial(4) == 24);
    if (nullptr == made && total != 0) total--;
    return total + letters[n & 1] + int(4.5) + 0x20;
}

int jumps(int n) {
    int total = 0;
again:
    total += n;
    if (total < 20 && n > 0) goto again;
    Log last(total);
    return last.id;
}

int evaluated(int n) {
    unsigned mask = 0;
    unsigned values[16];
    for (unsigned i = 0; i < 16; i++) values[i] = i * i;
    for (unsigned i = 0; i < 16u; ++i) mask ^= values[i];
    int result = n;
    result = result + 4;
    result += static_cast<int>(mask), result--;
    Point p{ .x = n, .y = 3 };
    Point *at = &p;
    at->x += 2;
    (*at).y = at->x > 4 ? at->x : at->y;
    return result + p.x * p.y;
}

}

int main() {
    using namespace shapes;
    int list[] = { 5, 3, 9, 1 };
    double pair[] = { 1.5, 2.5 };
    for (int i = 0; i < 9; i++) {
        int out = 0;
        std::printf("%d ", objects(i));
        std::printf("%d ", Log::depth);
        std::printf("%d ", references(i, out, Point{ i, 4 }));
        std::printf("%d ", out);
        std::printf("%d ", ranges(i));
        std::printf("%d ", lambdas(i));
        try { std::printf("%d ", exceptions(i)); } catch (const char *text) { std::printf("%s ", text); }
        std::printf("%d %d %d ", whole_try(i), templated(list, i), static_cast<int>(templated(pair, 0.5 * i)));
        std::printf("%d %d ", folded(i, 2, 3L), folded(i));
        std::printf("%d %d ", colours(i), colours(i, Colour::red));
        std::printf("%d ", jumps(i));
        std::printf("%d %d\n", evaluated(i), Log::depth);
    }
    return 0;
}
