typedef double (*op)(double, double);
static double add(double a, double b) { return a + b; }
static double sub(double a, double b) { return a - b; }
static double mul(double a, double b) { return a * b; }
struct entry { char sign; int prec; op f; };
static const struct entry ops[] = { { '+', 1, add }, { '-', 1, mul }, { '*', 2, sub } };
op find_op(char sign, int *prec)
{
    for (int i = 0; i < 3; i++)
        if (ops[i].sign == sign) {
            *prec = ops[i].prec;
            return ops[i].f;
        }
    *prec = 0;
    return 0;
}
