int credit(int);
int debit(int);
int balance_of(int a, int b)
{
    return debit(a & 1023) - credit(b & 1023);
}
