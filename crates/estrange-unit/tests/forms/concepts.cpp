#include <concepts>
#include <type_traits>

template <typename T> concept number = std::integral<T> || std::floating_point<T>;
template <typename T> concept sized = requires(T t) { { t.size() } -> std::convertible_to<int>; };

template <number T> T half(T x) { return x / 2; } // form: half
template <typename T> requires number<T> T third(T x) { return x / 3; } // form: third
template <typename T> T quarter(T x) requires number<T> { return x / 4; } // form: quarter
number auto fifth(number auto x) { return x / 5; } // form: fifth
auto sixth(std::integral auto x) -> decltype(x) { return x / 6; } // form: sixth
template <typename T> requires requires(T t) { t + t; } T doubled(T t) { return t + t; } // form: doubled
template <typename... Ts> requires (number<Ts> && ...) auto total(Ts... all) { return (all + ...); } // form: total
bool is_sized(auto const &x) { return sized<std::remove_cvref_t<decltype(x)>>; } // form: is_sized
template <typename T> struct box {
  T held;
  bool same(T other) const requires std::equality_comparable<T> { return held == other; } // form: same
  template <std::convertible_to<T> U> void put(U u) { held = u; } // form: put
  explicit(!std::integral<T>) box(T t) : held(t) {} // form: box<T>
  ~box() requires std::is_trivially_destructible_v<T> = default;
  ~box() {} // form: ~box<T>
};
struct abbreviating { int before; auto twice(auto x) const { return x + x; } }; // form: twice
template <std::same_as<int> T> struct box2 { int only(T t) { return t; } }; // form: only
template <auto N> constexpr int constant() { return N; } // form: constant
template <typename T, std::size_t N> constexpr std::size_t length(T (&)[N]) { return N; } // form: length
int has(auto... xs) { if constexpr (requires { (xs + ...); }) return sizeof...(xs); else return 0; } // form: has
