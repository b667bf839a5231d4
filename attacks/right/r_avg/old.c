unsigned mean(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) / 2); }
