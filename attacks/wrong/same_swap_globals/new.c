int stock, sold;
int move_item(int n)
{
    n &= 15;
    sold -= n;
    stock += n * 2;
    return sold;
}
