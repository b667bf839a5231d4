struct f { unsigned a : 3, b : 5, c : 8; };
unsigned flags_of(struct f x) { return x.a | (unsigned)x.b << 3 | (unsigned)x.c << 8; }
