int wait_ready(volatile unsigned *reg, int *spins)
{
    *spins = 1;
    if (*reg & 1)
        return (int)(*reg >> 4 & 15);
    return -1;
}
