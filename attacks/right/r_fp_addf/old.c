float addf(float a, float b) { return a + b; }
