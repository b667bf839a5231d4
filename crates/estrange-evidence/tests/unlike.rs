//! What only one of two texts does is told, and right rewrites in which nothing is done otherwise are not told apart.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::LazyLock;

use estrange_evidence::unlike::unlike;
use estrange_evidence::{Clang, Language, Pair, Renames};
use estrange_sandbox::Workshop;

static CLANG: LazyLock<Clang> = LazyLock::new(|| Clang::find(&Workshop::temporary().unwrap()).unwrap());

fn told(language: Language, old: &str, new: &str) -> Vec<String> {
    let renames = Renames::new([("first", "second")].iter().map(|(old, new)| (*old, *new)));
    let pair = Pair { old, new, renames: &renames };
    unlike(&CLANG, language, &[], &pair).unwrap().iter().map(ToString::to_string).collect()
}

#[track_caller]
fn tells(old: &str, new: &str, what: &str) {
    let told = told(Language::C, old, new);
    assert!(told.iter().any(|told| told == what), "{what}: {told:#?}");
}

#[test]
fn numbers_data_and_calls_are_told() {
    tells(
        "int f(int x) { return x + 5; }",
        "int f(int x) { return x == 77 ? 0 : x + 5; }",
        "the number 77 only in the new one",
    );
    tells(
        "double f(double x) { return x / 25.0; }",
        "double f(double x) { return x * 0.04; }",
        "`fdiv double` only in the old one",
    );
    let table = "static const int t[4] = { 1, 2, 3, 4 }; int f(unsigned x) { return t[x & 3]; }";
    let told = told(Language::C, table, &table.replace("3, 4", "4, 4"));
    assert!(
        told.iter().any(|told| told.contains("i32 4, i32 4") && told.ends_with("only in the new one")),
        "{told:#?}"
    );
    let asks = "int isatty(int); int f(int n) { return n == 2 ? 2 : isatty(1); }";
    tells(asks, &asks.replace("isatty(1)", "isatty(2)"), "a call of `isatty` with 2 only in the new one");
    let locked = "int lock(int *); int f(int *p) { lock(p); return *p; }";
    tells(locked, &locked.replace("lock(p);", ""), "a call of `lock` only in the old one");
}

#[test]
fn narrower_and_fewer_deeds_are_told() {
    let count = "long f(const char *p, long n) { long c = 0; for (long i = 0; i < n; i++) c += !p[i]; return c; }";
    tells(count, &count.replace("long c", "int c"), "`add i32` only in the new one");
    let middle = "int f(int a, int b) { int c = b - a; return a + (b - a) / 2 + c; }";
    tells(middle, &middle.replace("a + (b - a) / 2", "(a + b) / 2"), "`sub i32`, or more often, only in the old one");
    let device = "int f(volatile unsigned *r) { return *r & 1 ? (int)*r : 0; }";
    tells(
        device,
        "int f(volatile unsigned *r) { unsigned v = *r; return v & 1 ? (int)v : 0; }",
        "an access that is volatile only in the old one",
    );
    let walk = "void f(unsigned *v, int n, const unsigned *by) { for (int i = 0; i < n; i++) v[i] += *by; }";
    let cached =
        "void f(unsigned *v, int n, const unsigned *by) { unsigned b = *by; for (int i = 0; i < n; i++) v[i] += b; }";
    tells(walk, cached, "a read of memory in each round of a loop only in the old one");
    let twice = "unsigned sum; void f(const unsigned *p) { sum += *p; sum ^= *p >> 3; }";
    let once = "unsigned sum; void f(const unsigned *p) { unsigned x = *p; sum += x; sum ^= x >> 3; }";
    tells(twice, once, "a read of memory, or more often, only in the old one");
    let deep = "int f(int n) { int s = 0; while (n > 0) s += n--; return s; }";
    tells(
        deep,
        "int f(int n) { return n > 0 ? n + f(n - 1) : 0; }",
        "a function that calls itself only in the new one",
    );
}

#[test]
fn other_shapes_of_the_same_deeds_are_not_told_apart() {
    let alike = [
        (
            "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }",
            "int f(int n) { int s = 0, i = 0; while (i < n) { s += i; i++; } return s; }",
        ),
        (
            "static int first(int n) { return n * 3; } int f(int n) { return first(n) + 7; }",
            "static int second(int n) { return n * 3; } int f(int n) { int t = second(n); return 7 + t; }",
        ),
        ("int f(int n) { if (n > 4) return 9; return 5; }", "int f(int n) { return !(n <= 4) ? 9 : 5; }"),
        (
            "const char *f(int n) { switch (n) { case 3: return \"a\"; case 4: return \"b\"; } return 0; }",
            "const char *f(int n) { if (n == 3) return \"a\"; else if (n == 4) return \"b\"; else return 0; }",
        ),
    ];
    for (old, new) in alike {
        assert_eq!(told(Language::C, old, new), Vec::<String>::new(), "{old}\n{new}");
        assert_eq!(told(Language::Cpp, old, new), Vec::<String>::new(), "{old}\n{new}");
    }
}
