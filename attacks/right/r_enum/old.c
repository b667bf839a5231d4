enum e { A, B, C };
const char *name_of(enum e x)
{
    switch (x) {
    case A: return "a";
    case B: return "b";
    case C: return "c";
    }
    return "?";
}
