#include <math.h>
float rootf(float x) { return x < 0 ? 0 : (float)sqrt((double)x); }
