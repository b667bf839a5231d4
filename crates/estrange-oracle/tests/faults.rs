//! What sanitizers find, on one input that is given by its values: the class, the place, from both compilers alike.

#![allow(clippy::unwrap_used)]

mod support;

use estrange_evidence::{Compiler, Language};
use estrange_oracle::{End, Input, Ran, Subject};
use support::ORACLE;

/// What each compiler's program does on an input.
fn both(text: &str, language: Language, input: &str) -> [Ran; 2] {
    let subject = Subject { text, function: "f", at: None, language, flags: &[], seed: 1 };
    let replay = ORACLE.replay(&subject).unwrap().unwrap();
    let fitted = replay.fit(&Input::read(input).unwrap()).unwrap();
    [Compiler::Gcc, Compiler::Clang].map(|compiler| {
        let side = replay.build(None, compiler).unwrap().unwrap();
        let ran = side.run(&fitted).unwrap().unwrap();
        assert_eq!(side.run(&fitted).unwrap().unwrap(), ran);
        ran
    })
}

/// Both compilers find this, on the line with the mark, and the function that it stands in.
#[track_caller]
fn finds(end: End, text: &str, arguments: &str) {
    found(end, text, Language::C, arguments);
}

#[track_caller]
fn found(end: End, text: &str, language: Language, arguments: &str) {
    let line = text.lines().position(|line| line.contains("// here")).unwrap() as u32 + 1;
    let function = if text.lines().nth(line as usize - 1).unwrap().starts_with("static") { "g" } else { "f" };
    let input = format!("{{\"estrange-input\": 1, \"arguments\": {arguments}}}");
    for (ran, compiler) in both(text, language, &input).iter().zip(["gcc", "clang"]) {
        assert_eq!(ran.end, end, "{compiler}: {ran:?}\n{text}");
        let place = ran.place.as_ref().unwrap_or_else(|| panic!("{compiler}: {ran:?}\n{text}"));
        assert_eq!((place.line, place.function.as_str()), (line, function), "{compiler}: {ran:?}\n{text}");
    }
}

#[test]
fn beyond_and_before_blocks_on_the_heap() {
    let text = "#include <stdlib.h>\nint f(int at, int is) { int *all = malloc(40); if (!all) return 0;\n";
    let read = format!("{text}int x = all[at]; // here\nfree(all); return x; }}");
    let write = format!("{text}all[at] = is; // here\nfree(all); return 0; }}");
    finds(End::HeapOverflowRead, &read, "[10, 1]");
    finds(End::HeapOverflowWrite, &write, "[10, 1]");
    finds(End::HeapUnderflowRead, &read, "[-1, 1]");
    finds(End::HeapUnderflowWrite, &write, "[-1, 1]");
    finds(
        End::HeapOverflowWrite,
        "#include <string.h>\nvoid f(char *to, const char *from) {\n    strcpy(to, from); // here\n}",
        r#"[{"bytes": "00000000"}, "1234"]"#,
    );
    finds(
        End::HeapOverflowRead,
        "#include <stddef.h>\nint f(const char *from, size_t n) { int sum = 0;\n    for (size_t i = 0; i <= n; i++) sum += from[i]; // here\n    return sum; }",
        r#"[{"bytes": "0102"}, 2]"#,
    );
}

#[test]
fn beyond_and_before_variables() {
    let on_stack = "int f(int at, int is) { int all[8] = {1, 2, 3}; int *p = all;\n";
    let read = format!("{on_stack}return p[at]; // here\n}}");
    let write = format!("{on_stack}p[at] = is; // here\nreturn all[0]; }}");
    finds(End::StackOverflowRead, &read, "[8, 1]");
    finds(End::StackOverflowWrite, &write, "[9, 1]");
    finds(End::StackUnderflowRead, &read, "[-1, 1]");
    finds(End::StackUnderflowWrite, &write, "[-2, 1]");
    let outside = "static int all[8] = {1, 2, 3}; int f(int at, int is) { int *p = all;\n";
    finds(End::GlobalOverflowRead, &format!("{outside}return p[at]; // here\n}}"), "[8, 1]");
    finds(End::GlobalOverflowWrite, &format!("{outside}p[at] = is; // here\nreturn 0; }}"), "[9, 1]");
    finds(End::Index, "int f(int at) { static int all[4];\nreturn all[at]; // here\n}", "[4]");
    finds(End::WildRead, "int f(int *p, long at) {\nreturn p[at]; // here\n}", "[[1], 70368744177664]");
    finds(End::WildWrite, "void f(int *p) {\n*p = 1; // here\n}", r#"[{"address": "0x123400000000"}]"#);
}

#[test]
fn what_is_gone() {
    let head = "#include <stdlib.h>\n";
    finds(End::UseAfterFreeRead, &format!("{head}int f(int *p) {{ free(p);\nreturn *p; // here\n}}"), "[[1]]");
    finds(End::UseAfterFreeWrite, &format!("{head}void f(int *p) {{ free(p);\n*p = 1; // here\n}}"), "[[1]]");
    let helper = "static int *own(int *p) { return p; } static int *g(int a) { int x = a; return own(&x); }\n";
    finds(End::UseAfterReturnRead, &format!("{helper}int f(int a) {{ int *p = g(a);\nreturn *p; // here\n}}"), "[1]");
    finds(End::UseAfterReturnWrite, &format!("{helper}void f(int a) {{ int *p = g(a);\n*p = 2; // here\n}}"), "[1]");
    let scope = "int f(int a) { int *p = 0; { int x = a; p = &x; }\n";
    finds(End::UseAfterScopeRead, &format!("{scope}return *p; // here\n}}"), "[1]");
    finds(End::UseAfterScopeWrite, &format!("{scope}*p = 1; // here\nreturn 0; }}"), "[1]");
    finds(End::DoubleFree, &format!("{head}void f(int *p) {{ free(p);\nfree(p); // here\n}}"), "[[1]]");
    finds(End::InvalidFree, &format!("{head}void f(int *p) {{\nfree(p + 1); // here\n}}"), "[[1, 2]]");
    finds(End::InvalidFree, &format!("{head}void f(int a) {{ int x = a;\nfree(&x); // here\n}}"), "[1]");
    finds(
        End::Leak,
        &format!("{head}int f(int a) {{\nint *p = malloc(4); // here\nif (!p) return 0; *p = a; return *p; }}"),
        "[1]",
    );
    found(
        End::MismatchedFree,
        "#include <cstdlib>\nvoid f(int a) { int *p = new int(a);\nfree(p); // here\n}",
        Language::Cpp,
        "[1]",
    );
}

#[test]
fn what_library_functions_are_handed() {
    let head = "#include <string.h>\n#include <stdio.h>\n";
    finds(End::Overlap, &format!("{head}void f(char *p) {{\nmemcpy(p, p + 1, 3); // here\n}}"), r#"["12345"]"#);
    finds(
        End::NegativeSize,
        &format!("{head}void f(char *p, int n) {{ char all[8];\nmemcpy(all, p, n); // here\n}}"),
        r#"["12345", -1]"#,
    );
    finds(End::NullArgument, &format!("{head}int f(char *p) {{\nreturn strlen(p); // here\n}}"), "[null]");
    finds(
        End::StackOverflowWrite,
        &format!("{head}void f(const char *p) {{ char all[4];\nsprintf(all, \"<%s>\", p); // here\n}}"),
        r#"["12345"]"#,
    );
}

#[test]
fn numbers_and_shifts() {
    finds(End::AddOverflow, "long f(long a, long b) {\nreturn a + b; // here\n}", "[9223372036854775807, 1]");
    finds(End::SubtractOverflow, "int f(int a, int b) {\nreturn a - b; // here\n}", "[-2147483648, 1]");
    finds(End::MultiplyOverflow, "int f(int a, int b) {\nreturn a * b; // here\n}", "[65536, 65536]");
    finds(End::NegateOverflow, "int f(int a) {\nreturn -a; // here\n}", "[-2147483648]");
    finds(End::DivisionOverflow, "int f(int a, int b) {\nreturn a / b; // here\n}", "[-2147483648, -1]");
    finds(End::DivisionByZero, "int f(int a, int b) {\nreturn a % b; // here\n}", "[1, 0]");
    finds(End::ShiftExponent, "int f(int a, int b) {\nreturn a << b; // here\n}", "[1, 32]");
    finds(End::ShiftExponent, "long f(long a, int b) {\nreturn a >> b; // here\n}", "[1, -1]");
    finds(End::ShiftBase, "int f(int a, int b) {\nreturn a << b; // here\n}", "[-1, 3]");
    finds(End::FloatCast, "int f(double a) {\nreturn (int)a; // here\n}", "[1e30]");
}

#[test]
fn pointers_and_values() {
    finds(End::NullPointer, "int f(int *p) {\nreturn *p; // here\n}", "[null]");
    finds(End::NullPointer, "int f(int *p) {\nreturn p[3]; // here\n}", "[null]");
    finds(End::NullPointer, "struct s { int a, b; };\nint f(struct s *p) {\nreturn p->b; // here\n}", "[null]");
    finds(End::Misaligned, "int f(char *p) { int *q = (int *)(p + 1);\nreturn *q; // here\n}", r#"["12345678"]"#);
    finds(End::PointerOverflow, "char f(char *p, long n) {\nreturn *(p + n); // here\n}", r#"["1", -140737488355328]"#);
    finds(End::InvalidBool, "int f(_Bool *p) {\nreturn *p; // here\n}", "[[2]]");
    finds(End::ArrayLength, "int f(int n) {\nint all[n]; // here\nall[0] = 1; return all[0]; }", "[-1]");
    finds(End::InvalidBuiltin, "int f(unsigned n) {\nreturn __builtin_clz(n); // here\n}", "[0]");
    finds(End::Unreachable, "int f(int n) { if (n) return 1;\n__builtin_unreachable(); // here\n}", "[0]");
    found(
        End::InvalidEnum,
        "enum e { A, B };\nint f(e *p) {\nreturn *p; // here\n}",
        Language::Cpp,
        r#"[{"bytes": "40000000"}]"#,
    );
    found(End::MissingReturn, "int f(int n) { if (n) return 1; } // here", Language::Cpp, "[0]");
    finds(End::NullReturn, "__attribute__((returns_nonnull)) char *f(char *p) {\nreturn p; // here\n}", "[null]");
}

#[test]
fn in_a_helper_and_without_a_fault() {
    finds(
        End::HeapOverflowRead,
        "static int g(const char *p, int n) { return p[n]; } // here\nint f(const char *p, int n) { return n > 9 ? 0 : g(p, n); }",
        r#"["12", 3]"#,
    );
    for ran in both("int f(int a) { return a + 1; }", Language::C, r#"{"estrange-input": 1, "arguments": [1]}"#) {
        assert_eq!((ran.end, ran.place.clone()), (End::Returned, None));
    }
}
