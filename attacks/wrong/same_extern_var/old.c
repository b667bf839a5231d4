extern int soft_limit, hard_limit;
int read_limit(int n)
{
    return n > soft_limit ? soft_limit : n;
}
