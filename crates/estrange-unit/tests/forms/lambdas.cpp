#include <utility>

auto global_lambda = [](int x) { return x + 1; }; // form: global_lambda
static constexpr auto constant_lambda = [](auto x) noexcept { return x; }; // form: constant_lambda
namespace n { inline auto templated = []<typename T>(T x) -> T { return x; }; } // form: templated
auto immediate = [] { return 5; }(); // form: immediate
int call_it(int x) { return global_lambda(x); } // form: call_it
int inner_lambda(int x) { auto f = [=](int y) mutable { return x + y; }; return f(1); } // form: inner_lambda
int templated_lambda(int x) { auto f = []<typename T>(T y) requires (sizeof(T) > 1) { return y; }; return f(x); } // form: templated_lambda
auto returns_lambda(int x) { return [x](auto &&...ys) { return (x + ... + ys); }; } // form: returns_lambda
struct holder {
  int (*function)(int) = [](int x) { return x * 3; }; // form: function
  int run(int x) { return [this](int y) { return function(y); }(x); } // form: run
  int copy(int x) { return [*this, x] { return function(x); }(); } // form: copy
};
void takes_default(int (*f)(int) = [](int x) { return x; }) { f(1); } // form: takes_default
int recursive(int n) { auto f = [](auto self, int k) -> int { return k ? self(self, k - 1) : 0; }; return f(f, n); } // form: recursive
int pack_capture(auto... xs) { return [...ys = std::move(xs)] { return (ys + ... + 0); }(); } // form: pack_capture
