//! Floating-point numbers: what code may treat apart is among the inputs, and what is no number is no false alarm.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;

use estrange_evidence::Language;
use estrange_oracle::{Subject, Variant, Verdict};
use support::ORACLE;

/// Each of these differs from the first, which does the same as itself.
#[track_caller]
fn differs(text: &str, wrong: &[&str]) {
    let names = BTreeMap::new();
    let subject = Subject { text, function: "f", at: None, language: Language::C, flags: &[], seed: 1 };
    let prepared = ORACLE.original(&subject).unwrap().unwrap();
    let all = [text].into_iter().chain(wrong.iter().copied());
    let variants: Vec<Variant<'_>> =
        all.map(|text| Variant { text, function: "f", names: &names, known: &[] }).collect();
    let found = support::verdicts(&prepared, &variants);
    assert!(!matches!(found[0], Verdict::Differs(_)), "{found:#?}");
    for (found, text) in found[1..].iter().zip(wrong) {
        assert!(matches!(found, Verdict::Differs(_)), "{text}: {found:?} {:#?}", prepared.record());
    }
}

/// Each of these differs in its expression.
#[track_caller]
fn in_place(head: &str, right: &str, wrong: &[&str]) {
    for of in ["float", "double", "long double"] {
        let text = |expression: &str| {
            let text = head.replace('$', expression);
            text.replace("real", of)
        };
        let wrong: Vec<String> = wrong.iter().map(|wrong| text(wrong)).collect();
        differs(&text(right), &wrong.iter().map(String::as_str).collect::<Vec<_>>());
    }
}

#[test]
fn comparisons_see_what_is_no_number() {
    in_place("int f(real a, real b) { return $; }", "!(a < b)", &["a >= b", "!(a <= b)"]);
    in_place("int f(real a, real b) { return $; }", "a != b", &["a < b || a > b"]);
    in_place("real f(real a, real b) { return $; }", "a < b ? a : b", &["b < a ? b : a", "a <= b ? a : b"]);
    in_place("int f(real a) { return $; }", "a == a", &["1"]);
}

#[test]
fn zeros_have_signs() {
    in_place("real f(real x) { return $; }", "x", &["x + 0.0f", "x * 2 / 2", "0 + x"]);
    in_place("real f(real x) { return $; }", "-x", &["0 - x"]);
    in_place("real f(real x) { return $; }", "x < 0 ? -x : x", &["x <= 0 ? -x : x"]);
}

#[test]
fn sums_have_an_order() {
    in_place("real f(real a, real b, real c) { return $; }", "(a + b) + c", &["a + (b + c)", "(a + c) + b"]);
    in_place("real f(real a, real b) { return $; }", "a / b", &["a * (1 / b)"]);
    in_place("int f(real x) { return $; }", "x > 2.5f && x < 7", &["x >= 2.5f && x < 7", "x > 2.5f && x <= 7"]);
}

#[test]
fn numbers_stand_beside_whole_ones() {
    differs(
        "int f(float x) { if (!(x > -1e6f && x < 1e6f)) return 0; return (int)x; }",
        &[
            "int f(float x) { if (!(x > -1e6f && x < 1e6f)) return 0; return (int)(x + 1e-6f); }",
            "int f(float x) { if (!(x > -1e6f && x < 1e6f)) return 0; return (int)(x - 1e-6f); }",
        ],
    );
    differs(
        "#include <math.h>\ndouble f(double x) { return ceil(x); }",
        &[
            "#include <math.h>\ndouble f(double x) { return ceil(x - 1e-12); }",
            "#include <math.h>\ndouble f(double x) { return x == floor(x) ? x : floor(x) + 1 < x + 1e-9 ? x : floor(x) + 1; }",
        ],
    );
}

#[test]
fn numbers_within_others_are_the_same() {
    in_place(
        "struct point { int kind; real at[3]; }; real f(const struct point *p) { real s = 0; \
         for (int i = 0; i < 3; i++) if ($) s += p->at[i]; return s; }",
        "!(p->at[i] < s)",
        &["p->at[i] >= s"],
    );
    differs(
        "double f(double x) { return x; }",
        &["double f(double x) { return (float)x; }", "double f(double x) { return x < 1e-310 && x > 0 ? 0 : x; }"],
    );
    differs(
        "#include <math.h>\nlong f(double x) { if (!(x > -1e9 && x < 1e9)) return 0; return (long)floor(x + 0.5); }",
        &["#include <math.h>\nlong f(double x) { if (!(x > -1e9 && x < 1e9)) return 0; return lround(x); }"],
    );
}

/// What an operation makes of what is no number is the same on either side of it.
#[test]
fn which_of_two_that_are_no_numbers_is_no_difference() {
    let text = "#include <stdio.h>\n#include <math.h>\ndouble f(double a, double b) { double c = a + b; printf(\"%g %d\", c, !!signbit(c)); return c * a; }";
    let names = BTreeMap::new();
    for seed in 1..5 {
        let subject = Subject { text, function: "f", at: None, language: Language::C, flags: &[], seed };
        let prepared = ORACLE.original(&subject).unwrap().unwrap();
        let turned = text.replace("a + b", "b + a").replace("c * a", "a * c");
        let found =
            support::verdicts(&prepared, &[Variant { text: &turned, function: "f", names: &names, known: &[] }]);
        assert!(!matches!(found[0], Verdict::Differs(_)), "{found:#?}");
    }
}

/// A call that leaves another arithmetic behind changes no later one, and is seen.
#[test]
fn another_rounding_ends_with_the_call() {
    let text = "#include <fenv.h>\ndouble f(double a, double b, int up) { if (up & 1) fesetround(FE_UPWARD); \
                volatile double c = a / b; if (up & 2) fesetround(FE_TONEAREST); return c; }";
    let leaves = text.replace("if (up & 2) fesetround", "if (up & 4) fesetround");
    let first = text.replace("if (up & 1) fesetround", "if (up & 8) fesetround");
    differs(text, &[&leaves, &first]);
}
