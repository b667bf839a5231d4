extern const int e_ok, e_fail;
int status_of(const char *s)
{
    return *s ? e_ok : e_fail;
}
