float divf(float a, float b) { return b == 0 ? 0 : a / b; }
