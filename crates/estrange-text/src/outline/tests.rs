//! What counts as a definition.

use super::*;
use crate::lexer::lex;

/// The names of what a text seems to define, in order; those of functions without name in brackets.
fn names(text: &str) -> Vec<String> {
    let name = |found: &Definition| match found.form {
        Form::Function => found.name(text).to_owned(),
        Form::Lambda => format!("[{}]", found.name(text)),
    };
    definitions(text, &lex(text)).iter().map(name).collect()
}

#[test]
fn functions_of_c_are_found() {
    let text = "#include <a.h>\nint declared(int x);\nstatic const struct s table[] = { { f, 1 }, { .g = (int) { 2 } } };\n\
                int plain(int x) { if (x) { return 1; } return 0; }\nstruct s *tagged(struct s *s) { return s; }\n\
                int old(a, b) int a; char *b; { return a; }\nold2(a) { return a; }\n\
                struct { int a; } *in_place(void) { return 0; }\nenum e { A, B } of_values(void) { return A; }\n\
                int (*of_function(int x))(int) { return 0; }\nint (bracketed)(int x) { return x; }\n\
                __attribute__((noinline)) int attributed(void) __attribute__((cold));\n\
                API(int) behind_macro(int x) { return x; }\ntypedef struct t { int (*m)(int); } t;\n\
                struct __attribute__((packed)) p { int a; } v = { 1 };\nTEST(suite, name) { }\n";
    let expected =
        ["plain", "tagged", "old", "old2", "in_place", "of_values", "of_function", "bracketed", "behind_macro", "TEST"];
    assert_eq!(names(text), expected);
}

#[test]
fn functions_of_cpp_are_found() {
    let text = "namespace a::b { namespace { int deep() { return 1; } } }\nextern \"C\" { int linked() { return 1; } }\n\
                export { int exported() { return 2; } }\nusing namespace a;\n\
                class EXPORT(x) alignas(8) C final : public D<int(int)>, E {\npublic:\n  C(int x) : a(x), b{x} { }\n\
                  ~C() { }\n  int m() const noexcept(true) { return a; }\n  C &operator=(C const &) = default;\n\
                  auto operator<=>(C const &) const { return 0; }\n  int operator()(int x) { return x; }\n\
                  explicit operator bool() const { return true; }\n  struct { int g() { return 1; } } part;\n};\n\
                template <class T> requires requires(T t) { t + t; } T doubled(T t) { return t + t; }\n\
                template <class T> T halved(T t) requires (sizeof(T) > 1) { return t / 2; }\n\
                template <class T> concept sized = requires(T t) { t.a(); { t.size() } -> same_as<int>; };\n\
                template <> int C<int>::outside<char>(char c) { return c; }\nauto trailing() -> long { return 1; }\n\
                int guarded() try { return 1; } catch (...) { return 2; }\nint brace{3};\nenum class e : int { one = 1 };\n";
    let expected = [
        "deep",
        "linked",
        "exported",
        "C",
        "~C",
        "m",
        "operator<=>",
        "operator()",
        "operator bool",
        "g",
        "doubled",
        "halved",
        "outside",
        "trailing",
        "guarded",
    ];
    assert_eq!(names(text), expected);
}

#[test]
fn functions_without_name_outside_of_functions_are_found() {
    let text = "auto a = [](int x) { return x; };\nint array[] = { [0] = 1, [1] = 2 };\nauto b{[=]<class T>(T t) mutable { return t; }};\n\
                int f() { auto inner = [] { return 1; }; return inner(); }\nstruct s { int (*m)(int) = [](int x) { return x; }; };\n\
                auto c = apply(1, [] { return 2; });\nint d = table[0];\n";
    assert_eq!(names(text), ["[a]", "[b]", "f", "[m]", "[c]"]);
}

#[test]
fn what_is_no_c_is_gone_over_to_its_end() {
    for text in
        ["", "{", "}", "((((", "template <", "operator", "class", "[ [", "= {", "requires {", "a(b) : c {", "try"]
    {
        names(text);
        names(&format!("{text} int f() {{ }}"));
    }
}
