extern int width, height;
int ratio_of(int n)
{
    return height * 3 - width * n;
}
