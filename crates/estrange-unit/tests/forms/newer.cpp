struct self {
  int v;
  template <typename S> auto &&get(this S &&s) { return s.v; } // form: get
  int plain(this self const &s) { return s.v; } // form: plain
  static int operator()(int x) { return x; } // form: operator()
  int operator[](int a, int b) { return a + b; } // form: operator[]
};
int if_consteval(int x) { if consteval { return 1; } else { return x; } } // form: if_consteval
auto static_lambda(int x) { return [](int y) static { return y; }(x); } // form: static_lambda
