enum e { A, B, C };
const char *name_of(enum e x)
{
    return x == A ? "a" : x == B ? "b" : x == C ? "c" : "?";
}
