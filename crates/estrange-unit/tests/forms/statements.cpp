#include <compare>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>
#include <array>

struct point { int x, y; };
enum class colour { red, green };

int bindings(point p) { auto [a, b] = p; return a + b; } // form: bindings
int bindings_of_map(std::map<int, int> const &m) { int s = 0; for (auto const &[k, v] : m) s += k * v; return s; } // form: bindings_of_map
point designated(int x) { return {.x = x, .y = 2}; } // form: designated
int uses_enum(colour c) { using enum colour; switch (c) { case red: return 1; case green: return 2; } return 0; } // form: uses_enum
int with_initialiser(int x) { if (int y = x * 2; y > 3) return y; return 0; } // form: with_initialiser
int range_with_initialiser(std::vector<int> v) { int s = 0; for (auto n = v.size(); int e : v) s += e + int(n); return s; } // form: range_with_initialiser
int likely_branch(int x) { if (x > 0) [[likely]] return 1; else [[unlikely]] return 2; } // form: likely_branch
consteval int at_compile_time(int x) { return x * x; } // form: at_compile_time
constexpr int maybe_compile_time(int x) { return x + at_compile_time(3); } // form: maybe_compile_time
constinit int started = maybe_compile_time(1);
constexpr std::strong_ordering ordered(int a, int b) { return a <=> b; } // form: ordered
auto trailing(int x) -> long { return x; } // form: trailing
decltype(auto) forwarded(int &x) { return (x); } // form: forwarded
int try_body(int x) try { return x; } catch (...) { return 0; } // form: try_body
[[nodiscard("why")]] int attributed(int x) { return x; } // form: attributed
int (*returns_function(int x))(int) { return x ? nullptr : nullptr; } // form: returns_function
int (&returns_array())[3] { static int a[3]; return a; } // form: returns_array
extern "C" int c_linkage(int x) { return x; } // form: c_linkage
extern "C" { static inline int c_block(int x) { return x; } } // form: c_block
inline namespace v1 { int versioned(int x) { return x; } } // form: versioned
namespace a::b::inline c { int nested_spaces(int x) { return x; } } // form: nested_spaces
namespace { int unnamed_space(int x) { return x; } } // form: unnamed_space
int operator""_km(unsigned long long x) { return int(x) * 1000; } // form: operator""_km
template <char... C> int operator""_digits() { return sizeof...(C); } // form: operator""_digits
int folded(std::initializer_list<int> l) { int s = 0; for (int i : l) s += i; return s; } // form: folded
int unsigned_chars(const char8_t *t) { int n = 0; while (*t++) ++n; return n; } // form: unsigned_chars
auto abbreviated(auto x, auto y) { return x + y; } // form: abbreviated
template <> auto abbreviated<int, int>(int x, int y) = delete;
template <typename T> int specialised(T) { return 0; } // form: specialised
template <> int specialised<int>(int x) { return x; } // form: specialised
template <typename T> constexpr T variable_template = T(3);
int made_of_bits(int x) { struct local { int f(int y) { return y; } }; return local{}.f(x); } // form: made_of_bits
