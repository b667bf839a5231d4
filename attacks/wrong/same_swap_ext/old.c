int credit(int);
int debit(int);
int balance_of(int a, int b)
{
    return credit(a & 1023) - debit(b & 1023);
}
