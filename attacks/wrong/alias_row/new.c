struct m4 { unsigned a[4][4]; };
void add_row(struct m4 *m, const unsigned *row)
{
    
    for (int i = 0; i < 4; i++)
        m->a[i][0] += row[0];
}
