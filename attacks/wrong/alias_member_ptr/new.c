struct acc { int total; int count; };
void add_twice(struct acc *a, const int *v)
{
    int x = *v & 0xffff;
    a->total = (a->total & 0xffff) + x;
    a->count++;
    a->total = (a->total & 0xffff) + x;
}
