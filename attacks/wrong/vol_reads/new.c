int wait_ready(volatile unsigned *reg, int *spins)
{
    *spins = 1;
    unsigned v = *reg;
    if (v & 1)
        return (int)(v >> 4 & 15);
    return -1;
}
