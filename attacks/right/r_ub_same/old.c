int addup(int a, int b) { return a + b; }
