struct acc { int total; int count; };
void add_twice(struct acc *a, const int *v)
{
    
    a->total = (a->total & 0xffff) + (*v & 0xffff);
    a->count++;
    a->total = (a->total & 0xffff) + (*v & 0xffff);
}
