struct lexer; typedef void (*state)(struct lexer *);
struct lexer { state on; int digits, letters; };
static void in_word(struct lexer *l) { l->letters++; }
static void in_number(struct lexer *l) { l->digits++; }
static void in_space(struct lexer *l) { (void)l; }
int next_state(struct lexer *l, char c)
{
    int kind = c >= '0' && c <= '9' ? 1 : c == ' ' ? 2 : 0;
    l->on = kind == 1 ? in_word : kind == 2 ? in_space : in_word;
    if (kind == 1)
        l->digits = (l->digits + 1) & 255;
    return kind;
}
