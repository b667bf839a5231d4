struct Listener { virtual ~Listener() {} virtual void moved(float x, float y) = 0; };
int move_to(Listener *l, int x, int y)
{
    if (!l)
        return -1;
    l->moved((float)x, (float)y);
    return (x & 7) + (y & 7);
}
