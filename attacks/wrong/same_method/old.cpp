struct Conn { void open(int); void close(int); int n; };
void both_of(Conn &c, int n)
{
    c.open(n & 7);
}
