struct Codec { virtual ~Codec() {} virtual int id() const = 0; };
struct Fast : Codec { int id() const override { return 1; } };
struct Small : Codec { int id() const override { return 2; } };
Codec *make_codec(int level, int *chosen)
{
    if (level < 0) {
        *chosen = 0;
        return nullptr;
    }
    *chosen = level > 5 ? 2 : 1;
    if (level > 5)
        return new Small;
    return new Fast;
}
