typedef void draw(int, int, int, int, int, int, int);
void plot(int x, int y, int w, int h, int colour, draw *line)
{
    if (w <= 0 || h <= 0)
        return;
    line(x, y, x + 1, y, 1, 0, colour);
    line(x, y, x, y + 1, 0, 1, colour);
}
