struct event { int kind; int code; long when; };
int dispatch(int kind, int code, long when, int (*handler)(const struct event *))
{
    struct event e;
    if (kind < 0 || kind > 7)
        return -1;
    e.kind = kind;
    e.code = code;
    e.when = when;
    return handler(&e);
}
