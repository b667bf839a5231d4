int before_fatal(int x) { return x; } // form: before_fatal
#define D(x) ((((((((x))))))))
#define E(x) D(D(D(D(D(D(x))))))
#define F(x) E(E(E(E(E(E(E(x)))))))
int deep(int x) { return F(x); } // form: deep
int after_fatal(int x) { return x; } // form: after_fatal
namespace later { struct s { int method_after_fatal() const { return 1; } }; } // form: method_after_fatal
template <typename T> T template_after_fatal(T t) { return t; } // form: template_after_fatal
