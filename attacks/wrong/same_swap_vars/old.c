extern int width, height;
int ratio_of(int n)
{
    return width * 3 - height * n;
}
