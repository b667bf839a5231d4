int decode_op(unsigned char c)
{
    if (c > 200)
        throw c - 100;
    return c * 2;
}
