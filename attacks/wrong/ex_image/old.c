unsigned long size_class(unsigned char c)
{
    if (c < 10)
        return c;
    return 5000000ul + c * 4096ul;
}
