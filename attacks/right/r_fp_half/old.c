double halve(double x) { return x / 2.0; }
