int month_days(int m)
{
    static const unsigned char d[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    return m >= 1 && m <= 12 ? d[m - 1] : 0;
}
