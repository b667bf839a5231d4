#include <stdexcept>
#include <string>
struct Failure { int code; virtual ~Failure() {} };
struct Deep : Failure { int line; };
int rethrow_it(int a, int b)
{
    try {
        if (a > b) { Deep d; d.code = a; d.line = b; throw d; }
        return b % 17;
    } catch (const Failure &f) {
        if (f.code < 0)
            return -1;
        throw;
    }
}
