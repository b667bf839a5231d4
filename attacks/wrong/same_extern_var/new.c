extern int soft_limit, hard_limit;
int read_limit(int n)
{
    return n > hard_limit ? hard_limit : n;
}
