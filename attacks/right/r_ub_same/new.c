int addup(int a, int b) { return b + a; }
