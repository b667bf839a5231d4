float addf(float a, float b) { return (float)((double)a + (double)b); }
