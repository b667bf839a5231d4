int stock, sold;
int move_item(int n)
{
    n &= 15;
    stock -= n;
    sold += n * 2;
    return stock;
}
