//! What a function does that its result does not show: what it hands to functions that it was given, constants that it leads
//! to, where it prints, what it keeps for later calls, what it reads again where pointers meet, what it leaves behind.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;

use estrange_evidence::Language;
use estrange_oracle::{Subject, Variant, Verdict};
use support::ORACLE;

/// The function agrees with itself, and differs where one text gives way to another.
#[track_caller]
fn differs(language: Language, text: &str, changes: &[(&str, &str)]) {
    let names = BTreeMap::new();
    let subject = Subject { text, function: "f", at: None, language, flags: &[], seed: 1 };
    let prepared = ORACLE.original(&subject).unwrap().unwrap();
    let changed = |(from, to): &(&str, &str)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    };
    let wrong: Vec<String> = changes.iter().map(changed).collect();
    let all = [text].into_iter().chain(wrong.iter().map(String::as_str));
    let variants: Vec<Variant<'_>> =
        all.map(|text| Variant { text, function: "f", names: &names, known: &[] }).collect();
    let found = support::verdicts(&prepared, &variants);
    assert!(!matches!(found[0], Verdict::Differs(_)), "{:#?}", prepared.record());
    for (found, (from, to)) in found[1..].iter().zip(changes) {
        assert!(matches!(found, Verdict::Differs(_)), "{from} as {to}: {found:?} {:#?}", prepared.record());
    }
}

#[test]
fn what_a_function_that_was_handed_in_gets_is_seen() {
    let text = "void f(void (*line)(int, int, int, int, int, int, int, unsigned char), int x, int y) {
            line(x, y, x + 1, y, 1, 0, x ^ y, (unsigned char)x); }";
    differs(Language::C, text, &[("x ^ y", "~(x ^ y)"), ("(unsigned char)x)", "(unsigned char)y)")]);
    let text = "void f(void (*visit)(int, float, double, double, double, long double), float v, double w) {
            visit(1, v, w, 2 * w, 3 * w, v); }";
    differs(Language::C, text, &[("1, v", "1, v * 2"), ("3 * w", "4 * w")]);
    let text = "struct event { char kind; int code; };
        int f(int (*handle)(const struct event *), int kind, int code) {
            struct event event = { (char)kind, code }; return handle(&event); }";
    differs(Language::C, text, &[("(char)kind, code }", "(char)kind, ~code }")]);
    let text = "int f(int (*send)(const unsigned char *, unsigned), unsigned n) {
            unsigned char text[8] = { 'n', 0, 0, 0, 0, 0, (unsigned char)(n >> 8), (unsigned char)n };
            return send(text, sizeof text); }";
    differs(Language::C, text, &[("(n >> 8), (unsigned char)n", "n, (unsigned char)(n >> 8)")]);
}

#[test]
fn constants_are_seen_whole_and_functions_are_known_by_name() {
    let text = "static const int leap[] = { 0, 31, 60, 91, 121, 152 }, other[] = { 0, 31, 59, 90, 120, 151 };
        const int *f(int is_leap) { return is_leap ? leap : other; }";
    differs(Language::C, text, &[("121, 152", "121, 153"), ("120, 151", "120, 150")]);
    let text = "static const double window[4] = { 0.08, 0.77, 0.77, 0.08 };
        const double *f(int n) { return n & 1 ? window : 0; }";
    differs(Language::C, text, &[("0.77, 0.08", "0.77, 0.80")]);
    let text = "static const unsigned char icon[6] = { 0, 0, 1, 0, 1, 0 };
        const unsigned char *f(int n) { return n & 1 ? icon : icon + 2; }";
    differs(Language::C, text, &[("0, 1, 0 }", "0, 2, 0 }")]);
    let text = "static int add(int a, int b) { return a + b; }\nstatic int sub(int a, int b) { return a - b; }
        struct ops { int (*plus)(int, int), (*minus)(int, int); };
        void f(struct ops *ops, int n) { ops->plus = n & 1 ? add : sub; ops->minus = sub; }";
    differs(Language::C, text, &[("ops->minus = sub", "ops->minus = add"), ("? add : sub", "? sub : add")]);
}

#[test]
fn where_something_is_printed_and_whether_it_is_there_yet_is_seen() {
    let text = "#include <stdio.h>\n
        void f(const char *what, int n) { fprintf(stderr, \"%s %d\\n\", what, n); printf(\"%d\", n); fflush(stdout); }";
    differs(Language::C, text, &[("stderr", "stdout"), ("fflush(stdout);", "")]);
    let text = "#include <fcntl.h>\n#include <sys/stat.h>\n
        int f(int n) { mkdir(\"a\", 0700); return open(\"b\", O_WRONLY | O_CREAT, 0600) < n; }";
    differs(Language::C, text, &[("0700", "0777"), ("0600", "0666")]);
}

#[test]
fn what_shows_only_after_several_calls_is_seen() {
    let text = "int f(int n) { static unsigned count; if (n < 0) return -1; count = (count + 1) & 0xffff; return (int)count; }";
    differs(Language::C, text, &[("& 0xffff", "& 3"), ("& 0xffff", "& 0xff")]);
}

#[test]
fn pointers_meet_what_else_is_handed_in() {
    let text = "struct account { unsigned total, last; };
        void f(struct account *a, const unsigned *v) { a->total += *v; a->total += *v; }";
    differs(
        Language::C,
        text,
        &[("{ a->total += *v; a->total += *v", "{ unsigned x = *v; a->total += x; a->total += x")],
    );
    let text = "unsigned sum; void f(const unsigned *p) { sum += *p; sum ^= *p >> 3; }";
    differs(Language::C, text, &[("{ sum += *p; sum ^= *p", "{ unsigned x = *p; sum += x; sum ^= x")]);
}

#[test]
fn numbers_are_at_edges_and_there_is_nothing_of_which_there_are_none() {
    let text = "long f(long x) { return x ^ 5; }";
    differs(
        Language::C,
        text,
        &[("x ^ 5", "x == -0x7fffffffffffffffL - 1 ? 1 : x ^ 5"), ("x ^ 5", "(x ^ 5) + !(x ^ 0x100000000L)")],
    );
    let text = "#include <string.h>\nstruct sink { char data[64]; unsigned n; };
        int f(struct sink *s, const char *p, unsigned n) {
            if (s->n > 64 || n > 64 - s->n) return -1; if (n) memcpy(s->data + s->n, p, n); s->n += n; return 0; }";
    differs(Language::C, text, &[("if (n) memcpy", "memcpy")]);
    let text = "unsigned f(unsigned n) { return n / 10; }";
    differs(Language::C, text, &[("n / 10", "(unsigned)((unsigned long)n * 1717986919u >> 34)")]);
}

#[test]
fn sums_of_what_is_largest_and_depths_are_seen() {
    let text = "unsigned long f(const unsigned short *v, unsigned n) { unsigned long s = 0; for (unsigned i = 0; i < n; i++) s += v[i]; return s; }";
    differs(Language::C, text, &[("unsigned long s", "unsigned s")]);
    let text = "int f(const char *s) { unsigned depth = 0; for (; *s; s++) { if (*s == '(') depth++; else if (*s == ')' && depth) depth--; } return depth != 0; }";
    differs(Language::C, text, &[("unsigned depth", "unsigned char depth")]);
}

#[test]
fn what_is_thrown_and_left_behind_is_seen() {
    let text = "int f(int n) { if (n > 9) throw n & 7 ? 100 : 200; return n; }";
    differs(Language::Cpp, text, &[("? 100 : 200", "? 200 : 100")]);
    let text = "#include <memory>\nstruct two { int a, b; };
        int f(int n) { std::unique_ptr<two> p(new two{n, 1}); if (n > 5) throw 1; return p->a + p->b; }";
    differs(Language::Cpp, text, &[("std::unique_ptr<two> p(new two{n, 1})", "two *p = new two{n, 1}")]);
}
