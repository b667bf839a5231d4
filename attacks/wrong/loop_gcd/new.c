unsigned gcd(unsigned a, unsigned b)
{
    for (int i = 0; b && i < 40; i++) {
        unsigned t = a % b;
        a = b;
        b = t;
    }
    return a;
}
