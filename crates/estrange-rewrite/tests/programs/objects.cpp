#include <cstdio>

// What a rewrite of C++ could get wrong: members with the names of parameters, overloads, references, objects that end,
// private members, namespaces that hide each other, default arguments, exceptions, captures.

int level = 3;
int pick(long value) { return static_cast<int>(value) + 100; }

int tripled(int x) { return level * x; }
int shown(int x) { return tripled(x) + level; }

namespace shop {

int tripled(int x) { return x; }
int shade(int x) { return shown(x) + ::tripled(x); }

int level = 7;
int trace = 0;

struct Noisy {
    int id;
    explicit Noisy(int id) : id(id) { trace = (trace * 3 + id) % 10007; }
    Noisy(const Noisy &other) : id(other.id + 1) { trace = (trace * 5 + 1) % 10007; }
    ~Noisy() { trace = (trace * 7 + id) % 10007; }
    int value() const { return id * 2; }
    int add(int x) { id += x; return id; }
    Noisy twin() const { return Noisy(id + 10); }
};

int measure(const Noisy &noisy, int times = 2, const char *word = "ab") {
    int total = 0;
    for (int i = 0; i < times; i++) total += noisy.value() + word[i % 2];
    return total;
}

int above(int x) { return x > level ? x - level : level; }
int use_global(int level) { return above(level) + ::level + shop::level; }
int pick(int value) { return value * 2; }
int choose(int value) { return pick(value) + ::pick(value); }

class Counter {
public:
    explicit Counter(int start, int step = 1) : count(start), step_(step), name_("c") {}
    virtual ~Counter() {}
    int next() { count += step_; return count; }
    int peek() const { return count; }
    virtual int kind() const { return 1; }
    int twice() { int once = next(); return once + next(); }
    int both(Counter &other) { int theirs = other.next(); return theirs * 10 + this->next(); }
    int hidden(int count) { return this->count * 100 + count; }
    Counter &self() { return *this; }
    static int least(int a, int b) { return a < b ? a : b; }
    int bounded(int most) const { return least(count, most) + kind(); }
    int by(int factor) { auto scale = [this, factor](int x) { return x * factor + count; }; return scale(step_); }
    int &slot() { return count; }
    const char *const &name() const { return name_; }
    int sized() const { return name()[0] + peek(); }
    enum Mode { slow = 2, fast = 5 };
    int mode(bool quick) const { return quick ? fast : slow; }
    void reset(int to) { count = to; note(); }
    void note() { trace = (trace + count) % 10007; }
    int early(int x) {
        if (x > count) return above(x);
        while (x < 10) {
            if (x == step_) break;
            x++;
        }
        return x;
    }

protected:
    int count;

private:
    int step_;
    const char *name_;
};

class Loud : public Counter {
public:
    explicit Loud(int start) : Counter(start, 2), level(start * 2), ratio(0.5), next_(nullptr) {}
    int kind() const override { return 2 + base(); }
    int base() const { return Counter::kind() + peek() + shown(2) + ::tripled(1); }
    int tripled(int x) const { return x + 1; }
    int raise(int by) { level += by; return level + count + shop::level; }
    int walk() const {
        int total = 0;
        for (const Loud *at = this; at; at = at->next_) total += at->level;
        return total;
    }
    void chain(Loud *next) { next_ = next; }
    bool alone() const { return !next_; }
    bool full() const { if (next_ != nullptr) return next_->level > level; return false; }

private:
    int level;
    double ratio;
    Loud *next_;
};

int drive(Counter &counter, int n) {
    int total = counter.next();
    total += counter.peek() * n + counter.bounded(n) + counter.hidden(n);
    counter.reset(n);
    counter.slot() += 3;
    total += counter.self().next();
    return total + counter.sized() + counter.mode(n > 3) + Counter::least(n, 4);
}

int temporaries(int n) {
    int before = trace;
    int total = measure(Noisy(n));
    total += measure(Noisy(n).twin(), 3, "xyz");
    Noisy noisy(n);
    total += noisy.add(noisy.value());
    total += measure(noisy, noisy.add(1) % 4);
    const Noisy &bound = Noisy(n * 2);
    return total + bound.value() + (trace - before) % 100;
}

struct List {
    int items[16];
    int count = 0;
    void push(int item) { items[count++] = item; }
    int *begin() { return items; }
    int *end() { return items + count; }
    int front() const { return items[0]; }
    bool empty() const { return count == 0; }
    unsigned long size() const { return static_cast<unsigned long>(count); }
};

int containers(int n) {
    List list;
    for (int i = 0; i < n; i++) list.push(i * i);
    int total = 0;
    for (const auto &each : list) total = total * 3 + each;
    for (auto each : list) { int each2 = each; total += each2; each = 4; }
    int fixed[5] = {5, 4, 3, 2, 1};
    for (int i = 0; i < 5; i++) total += fixed[i] * n;
    for (int &each : fixed) {
        if (each == 3) continue;
        each += total % 1000;
        if (each > 900) break;
    }
    for (unsigned i = 0; i < sizeof fixed / sizeof fixed[0]; ++i) {
        if (fixed[i] % 2) continue;
        total ^= fixed[i];
    }
    long size = static_cast<long>(list.size());
    auto first = list.empty() ? 0 : list.front();
    return total + static_cast<int>(size) + first;
}

int captures(int n, const Noisy &noisy) {
    int sum = 0;
    auto add = [&sum, n](int x) { sum += x * n; };
    auto all = [&](int x) -> long { sum ^= x; return sum + noisy.id; };
    auto copy = [=](int x) mutable { n += x; return n; };
    const auto plain = [](int x) { return x / 2; };
    for (int i = 0; i < 4; i++) add(i);
    long total = all(5);
    total += copy(2);
    total += copy(2) + plain(9);
    return static_cast<int>(total) + n + sum;
}

int thrower(int n) {
    if (n % 3 == 0) throw n;
    return n * 2;
}

int guarded(int n) {
    int total = 0;
    try {
        Noisy held(n);
        total += thrower(n);
        total += held.value();
    } catch (int code) {
        total -= code;
    }
    return total + thrower(n + 1 - (n + 1) % 3 + 1);
}

int narrow(double x, unsigned char c) {
    int whole = (int)x;
    int sum = int(c) + (int)(x * 2) + static_cast<int>(3.75);
    unsigned wide = (unsigned)whole + 250u;
    long big{static_cast<long>(wide)};
    int braced{whole};
    int round(sum);
    const double *at = &x;
    const double half = *at / 2;
    bool is_big = big > 251 && at != nullptr;
    if (!at) return 0;
    return whole + round + braced + (is_big ? 17 : 40) + static_cast<int>(half * 8);
}

int outside(const Loud &loud, Loud *other) {
    int total = loud.base() + loud.peek();
    if (other) total += other->raise(total % 7);
    return total + other->base() + (*other).walk() + loud.alone();
}

int nested(int n) {
    return above(above(pick(n) + 20) + Counter::least(pick(n), choose(n)));
}

struct Holder {
    Counter *held;
    Counter *operator->() { trace += 3; held->reset(held->peek() + 1); return held; }
};
int through(Counter &counter) {
    Holder holder{&counter};
    int total = holder->least(holder->next(), 50);
    total += holder->hidden(counter.next());
    total += Noisy(counter.peek()).twin().add(2);
    return total;
}

template <typename T> T larger(T a, T b) { return a < b ? b : a; }
int of_template(int n) { return larger(n, 4) + static_cast<int>(larger(0.5, n * 0.25) * 4); }

}

int main() {
    using namespace shop;
    for (int i = 0; i < 9; i++) {
        Counter counter(i, 3);
        Loud loud(i), other(i + 1);
        loud.chain(&other);
        std::printf("%d ", use_global(i));
        std::printf("%d ", choose(i));
        std::printf("%d ", nested(i));
        std::printf("%d ", drive(counter, i));
        std::printf("%d ", drive(loud, i + 1));
        std::printf("%d ", counter.twice());
        std::printf("%d ", counter.both(loud));
        std::printf("%d ", counter.by(i));
        std::printf("%d ", counter.early(i + 4));
        std::printf("%d ", loud.early(i));
        std::printf("%d ", temporaries(i));
        std::printf("%d ", shade(i));
        std::printf("%d ", through(counter));
        std::printf("%d ", loud.tripled(i));
        std::printf("%d ", containers(i));
        std::printf("%d ", captures(i, Noisy(i)));
        try { std::printf("%d ", guarded(i)); } catch (int code) { std::printf("thrown %d ", code); }
        std::printf("%d ", narrow(i * 1.75, static_cast<unsigned char>(i * 40)));
        std::printf("%d ", outside(loud, &other));
        std::printf("%d ", loud.full());
        std::printf("%d ", other.full());
        std::printf("%d ", of_template(i));
        std::printf("%d ", trace);
        std::printf("\n");
    }
    return 0;
}
