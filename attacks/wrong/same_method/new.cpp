struct Conn { void open(int); void close(int); int n; };
void both_of(Conn &c, int n)
{
    c.close(n & 7);
}
