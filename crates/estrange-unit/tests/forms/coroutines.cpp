#include <coroutine>
#include <exception>

struct generator {
  struct promise_type {
    int value = 0;
    generator get_return_object() { return generator{std::coroutine_handle<promise_type>::from_promise(*this)}; } // form: get_return_object
    std::suspend_always initial_suspend() noexcept { return {}; } // form: initial_suspend
    std::suspend_always final_suspend() noexcept { return {}; } // form: final_suspend
    std::suspend_always yield_value(int next) noexcept { value = next; return {}; } // form: yield_value
    void return_void() noexcept {} // form: return_void
    void unhandled_exception() { std::terminate(); } // form: unhandled_exception
  };
  std::coroutine_handle<promise_type> handle;
};

struct task {
  struct promise_type {
    int value = 0;
    task get_return_object() { return {}; } // form: get_return_object
    std::suspend_never initial_suspend() noexcept { return {}; } // form: initial_suspend
    std::suspend_never final_suspend() noexcept { return {}; } // form: final_suspend
    void return_value(int result) { value = result; } // form: return_value
    void unhandled_exception() {} // form: unhandled_exception
  };
};

struct ready {
  bool await_ready() const noexcept { return true; } // form: await_ready
  void await_suspend(std::coroutine_handle<>) const noexcept {} // form: await_suspend
  int await_resume() const noexcept { return 7; } // form: await_resume
};

generator count_up(int limit) { // form: count_up
  for (int i = 0; i < limit; ++i) co_yield i;
}

task answer() { // form: answer
  co_return 42;
}

task wait_for_it() { // form: wait_for_it
  int got = co_await ready{};
  co_return got + 1;
}

template <typename T> generator repeat(T times) { // form: repeat
  while (times-- > 0) co_yield static_cast<int>(times);
}

struct source {
  int last = 3;
  generator members() { // form: members
    for (int i = 0; i < last; ++i) co_yield i;
  }
  static task fixed() { co_return 1; } // form: fixed
  generator outside();
};

generator source::outside() { // form: outside
  co_yield last;
}

namespace inner {
static task hidden(int x) { // form: hidden
  if (x) co_return x;
  co_return 0;
}
} // namespace inner

int use_hidden() { inner::hidden(1); return 0; } // form: use_hidden

task guarded() try { // form: guarded
  co_return 1;
} catch (...) {
  throw;
}
