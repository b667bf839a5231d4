#include <compare>
#include <memory>

struct version {
  int major, minor;
  auto operator<=>(version const &) const = default;
  bool operator==(version const &other) const { return major == other.major; } // form: operator==
};
struct weak {
  double value;
  std::partial_ordering operator<=>(weak const &other) const { return value <=> other.value; } // form: operator<=>
  friend bool operator==(weak const &a, weak const &b) { return a.value == b.value; } // form: operator==
  constexpr virtual ~weak() {} // form: ~weak
  constexpr virtual int kind() const { return 1; } // form: kind
};
struct derived final : weak {
  using weak::weak;
  derived(double v) noexcept { value = v; } // form: derived
  derived(int v) : derived(double(v)) {} // form: derived
  constexpr int kind() const override { return 2; } // form: kind
  explicit operator bool() const { return value != 0; } // form: operator bool
  int operator()(int x) const { return x; } // form: operator()
  int &operator[](int) & { static int z; return z; } // form: operator[]
  int &&operator[](int) && = delete;
  void *operator new(std::size_t n) { return ::operator new(n); } // form: operator new
  void operator delete(void *p) noexcept { ::operator delete(p); } // form: operator delete
  template <typename T> operator T *() const { return nullptr; } // form: operator type-parameter-0-0 *
  struct nested { int deep(int x) { struct deeper { static int deepest(int y) { return y; } }; return deeper::deepest(x); } }; // form: deep
  union { int i; float f; };
  struct { int unnamed_member(int x) { return x; } } part; // form: unnamed_member
};
template <typename T> struct outer {
  template <typename U> struct inner { int both(T t, U u); };
  template <typename U> int member(U u);
  static constexpr int count() { return 1; } // form: count
};
template <typename T> template <typename U> int outer<T>::inner<U>::both(T t, U u) { return int(t) + int(u); } // form: both
template <typename T> template <typename U> int outer<T>::member(U u) { return int(u); } // form: member
template <> template <> int outer<int>::member(char c) { return c; } // form: member
template <> struct outer<char> { int full(int x) { return x; } }; // form: full
template <typename T> struct outer<T *> { int partial(T *p) { return *p; } }; // form: partial
template <typename T> outer(T) -> outer<T>;
template <typename D> struct crtp { int call() { return static_cast<D *>(this)->impl(); } }; // form: call
struct used : crtp<used> { int impl() { return 3; } }; // form: impl
class with_try { int v; public: with_try(int x) try : v(x) {} catch (...) {} }; // form: with_try
struct initialised { int a{1}, b = {2}; initialised() : a{3}, b{4} {} }; // form: initialised
struct bits { int low : 3 = 1; int high : 5 {2}; int sum() const { return low + high; } }; // form: sum
struct static_things { static inline int made = [] { return 3; }(); static int get() { return made; } }; // form: get
int local_class(int x) { struct l { int operator()(int y) { return y; } }; return l{}(x); } // form: local_class
enum class e : int { one = [] { return 1; }() };
