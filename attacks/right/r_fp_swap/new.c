double hyp2(double a, double b) { return b * b + a * a; }
