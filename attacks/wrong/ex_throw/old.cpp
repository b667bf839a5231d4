int decode_op(unsigned char c)
{
    if (c > 200)
        throw c - 200;
    return c * 2;
}
