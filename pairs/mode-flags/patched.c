enum { FLAG_READ = 1, FLAG_WRITE = 2, FLAG_CREATE = 4, FLAG_APPEND = 8, FLAG_BINARY = 16 };

/* The flags for a mode of opening a file; -1 for an unknown one. */
int open_flags(const char *mode)
{
    int flags;

    switch (*mode) {
    case 'r':
        flags = FLAG_READ;
        break;
    case 'w':
        flags = FLAG_WRITE | FLAG_CREATE;
        break;
    case 'a':
        flags = FLAG_WRITE | FLAG_CREATE | FLAG_APPEND;
        break;
    case '\0':
        return -1;
    default:
        return -1;
    }
    for (mode++; *mode != '\0'; mode++) {
        if (*mode == 'b')
            flags |= FLAG_BINARY;
        else if (*mode == '+')
            flags |= FLAG_READ;
        else
            return -1;
    }
    if (flags & FLAG_WRITE)
        return flags;
    return flags & FLAG_BINARY ? flags : flags | FLAG_BINARY;
}
