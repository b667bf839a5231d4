module;
#include <cstddef>
export module shapes;

export int area(int w, int h) { return w * h; } // form: area

export {
int perimeter(int w, int h) { return 2 * (w + h); } // form: perimeter
template <typename T> T twice(T x) { return x + x; } // form: twice
}

export namespace solid {
int volume(int a, int b, int c) { return a * b * c; } // form: volume
}

export struct square {
  int side;
  int size() const { return side * side; } // form: size
};

int internal_helper(int x) { return x - 1; } // form: internal_helper
static int hidden_helper(int x) { return internal_helper(x) + 1; } // form: hidden_helper
export extern "C++" {
int with_linkage(int x) { return hidden_helper(x); } // form: with_linkage
}
module :private;
int private_part(int x) { return x / 2; } // form: private_part
