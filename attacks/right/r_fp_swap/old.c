double hyp2(double a, double b) { return a * a + b * b; }
