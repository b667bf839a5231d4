double halve(double x) { return x * 0.5; }
