int cached_area(unsigned w, unsigned h)
{
    static unsigned kw, kh;
    static int area;
    w &= 1023;
    h &= 1023;
    if (kw != w || kh != h || !area) {
        kw = w;
        kh = h;
        area = (int)(w * h);
    }
    return area;
}
