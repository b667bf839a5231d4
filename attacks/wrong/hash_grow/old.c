struct table { unsigned key[64]; };
int slot_of(const struct table *t, unsigned key)
{
    unsigned at = key * 2654435769u >> 26;
    for (unsigned i = 0; i < 64; i++, at = (at + 1) & 63)
        if (t->key[at] == key || !t->key[at])
            return (int)at;
    return -1;
}
