static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static int hex_byte(const char *text, int *value)
{
    int high = hex_digit(text[0]);
    int low = high < 0 ? -1 : hex_digit(text[1]);

    if (low < 0)
        return -1;
    *value = high * 16 + low;
    return 0;
}

/* Sum of the characters of a text once its escapes ("%41") are decoded; -1 for text beyond ASCII or a cut escape. */
long decode_escapes(const char *text)
{
    long sum = 0;

    for (; *text != '\0'; text++) {
        int value;

        if (*text != '%') {
            sum += (unsigned char)*text;
            continue;
        }
        if (text[1] == '\0' || text[2] == '\0')
            return -1;
        if (hex_byte(text + 1, &value) != 0)
            return -1;
        if (value > 127)
            return -1;
        sum += value;
        text += 2;
    }
    return sum;
}
