int next_ticket(int step)
{
    static int last = 0;
    if (step < 0)
        return -1;
    last++;
    return last * 10 + (step > 3);
}
