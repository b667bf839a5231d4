struct f { unsigned a : 3, b : 5, c : 8; };
unsigned flags_of(struct f x) { return x.a + x.b * 8u + x.c * 256u; }
