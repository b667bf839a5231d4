#include <coroutine>
#include <cstdio>

struct Numbers {
    struct promise_type {
        int value = 0;
        Numbers get_return_object() { return Numbers{ std::coroutine_handle<promise_type>::from_promise(*this) }; }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int next) { value = next; return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
};

Numbers squares(int n) {
    int step = 1;
    for (int i = 0; i < n; i++) {
        if (i == 2) continue;
        co_yield i * i + step;
        step += 2;
    }
    if (n > 4) co_return;
    co_yield 40 + n;
}

int main() {
    for (int n = 0; n < 6; n++) {
        Numbers numbers = squares(n);
        for (numbers.handle.resume(); !numbers.handle.done(); numbers.handle.resume())
            std::printf("%d ", numbers.handle.promise().value);
        numbers.handle.destroy();
    }
    std::puts("");
    return 0;
}
