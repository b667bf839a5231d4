//! What only a rewrite has is searched, too: branches that it adds are reached, or else it does not simply agree.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;
use std::ops::Range;

use estrange_evidence::Language;
use estrange_oracle::{Checked, Subject, Variant, Verdict};
use support::ORACLE;

fn checked(text: &str, rewrites: &[(&str, &[Range<usize>])]) -> Vec<Checked> {
    let names = BTreeMap::new();
    let subject = Subject { text, function: "f", at: None, language: Language::C, flags: &[], seed: 1 };
    let prepared = ORACLE.original(&subject).unwrap().unwrap();
    let variants: Vec<Variant<'_>> =
        rewrites.iter().map(|(text, known)| Variant { text, function: "f", names: &names, known }).collect();
    prepared.check(&variants).unwrap()
}

/// The function agrees with itself, and differs from each of the others.
#[track_caller]
fn differs(text: &str, wrong: &[&str]) {
    let all: Vec<(&str, &[Range<usize>])> = [text].iter().chain(wrong).map(|text| (*text, &[][..])).collect();
    let found = checked(text, &all);
    assert_eq!(found[0].verdict, Verdict::Agrees, "{found:#?}");
    for (found, text) in found[1..].iter().zip(wrong) {
        assert!(matches!(found.verdict, Verdict::Differs(_)), "{text}: {found:#?}");
    }
}

const SUM: &str = "unsigned f(unsigned x, const unsigned char *s, unsigned n) {
        unsigned sum = x;
        for (unsigned i = 0; i < n && i < 4 && s[i]; i++) sum = sum * 31 + s[i];
        return sum;
    }";

#[test]
fn a_branch_on_a_number_is_found() {
    let with = |line: &str| SUM.replacen("unsigned sum", &format!("{line} unsigned sum"), 1);
    differs(
        SUM,
        &[
            &with("if (x == 0x5eadbeef) return 7;"),
            &with("if (n > 3 && s[2] == 200) return 7;"),
            &with("if (x == n && x == 1877) return 7;"),
            &with("if (x != 0x5eadbeef) {} else x = 1;"),
            &with("switch (x) { case 0x5eadbeef: x++; }"),
            &with("static const unsigned magic = 918273; x = x == magic ? 1 : x;"),
        ],
    );
}

#[test]
fn a_prefix_is_found() {
    let text = "#include <string.h>\nint f(const char *s) { int n = 0; while (s[n]) n++; return n; }";
    let with = |line: &str| text.replacen("int n = 0;", &format!("int n = 0; {line}"), 1);
    differs(
        text,
        &[
            &with("if (strncmp(s, \"magic\", 5) == 0) return 7;"),
            &with("if (strlen(s) >= 5 && memcmp(s, \"magic\", 5) == 0) return 7;"),
            &with("if (!strcmp(s, \"open sesame\")) return 7;"),
            &with("if (s[0] == 'm' && s[1] == 'a' && s[2] == 'g' && s[3] == 'i' && s[4] == 'c') return 7;"),
        ],
    );
}

#[test]
fn equal_arguments_are_found() {
    let text = "long f(int a, int b, int c, unsigned char d) { return (long)a + b * 2L + c * 3L + d; }";
    let with = |line: &str| text.replacen("return", &format!("{line} return"), 1);
    differs(
        text,
        &[
            &with("if (a == b && b == c && a == 77) return 7;"),
            &with("if (d == 200) return 7;"),
            &with("if (a == b && b == c && c == 123456789) return 7;"),
            &with("if (a + b == 1000003 && c == 12345) return 7;"),
        ],
    );
}

/// What no search finds is not said to be the same.
#[test]
fn what_is_not_reached_is_not_said_to_agree() {
    let text = "static unsigned g(unsigned x) { return x & 15; }\nunsigned f(unsigned x) { return g(x) + 1; }";
    let hash = "if ((x * 2654435761u ^ x >> 7) * 40503u == 0x12345678u && x % 9973 == 17) return 7;";
    let own = text.replacen("return g", &format!("{hash} return g"), 1);
    let helper = text.replacen("return x &", &format!("{hash} return x &"), 1);
    let found = checked(text, &[(&own, &[]), (&helper, &[]), (text, &[])]);
    for found in &found[..2] {
        assert_eq!(found.verdict, Verdict::AgreesWeakly, "{found:#?}");
        assert!(found.reached.is_some_and(|reached| reached.open > 0 && reached.tried > 0), "{found:#?}");
    }
    assert_eq!(found[2].verdict, Verdict::Agrees, "{found:#?}");
}

/// What its maker knows of a rewrite is not waited for; a text knows nothing of itself.
#[test]
fn what_always_holds_is_known_by_its_maker_only() {
    let text = "unsigned f(unsigned x) { return (x & 15) + 1; }";
    let opaque = "unsigned f(unsigned x) { unsigned t = x; if (t * ~t % 2 == 0) x &= 15; return x + 1; }";
    let place = |text: &str, part: &str| text.find(part).map(|start| start..start + part.len()).unwrap();
    let known = [place(opaque, "if (t * ~t % 2 == 0)")];
    let found = checked(text, &[(opaque, &known), (opaque, &[])]);
    let wanted = [Verdict::Agrees, Verdict::AgreesWeakly];
    assert_eq!(found.iter().map(|found| found.verdict.clone()).collect::<Vec<_>>(), wanted, "{found:#?}");
    let flat = "unsigned f(unsigned x) { unsigned next = 2; while (next) switch (next) { case 1: return x + 1; \
                case 2: x &= 15; next = 1; break; } return 0; }";
    let known = ["while (next)", "return 0"].map(|part| place(flat, part));
    let found = checked(text, &[(flat, &known), (flat, &[])]);
    assert_eq!(found.iter().map(|found| found.verdict.clone()).collect::<Vec<_>>(), wanted, "{found:#?}");
}

/// Branches that no input takes in the original either are no reason for doubt in another shape of it.
#[test]
fn what_both_do_not_reach_is_not_searched_again() {
    let text = "unsigned f(unsigned x, unsigned y) {
            if (x * x % 8 == 5) return 3;
            if (y > 7) x += y; else x -= y;
            if (x & 1) x ^= 21; else x ^= 42;
            for (unsigned i = 0; i < 3; i++) { if (x >> i & 1) x += i; else x -= 2; if (y % 3 == i) x++; }
            return x > 100 ? x : y < 50 ? x * 2 : 0;
        }";
    let turned = text.replace("if (x * x % 8 == 5) return 3;", "if (!(5 != x * x % (6 + 2))) { return 3; }");
    let found = checked(text, &[(text, &[]), (&turned, &[])]);
    for found in found {
        let reached = found.reached.unwrap();
        assert!(reached.branches.of < reached.branches.all, "{found:#?}");
        assert_eq!((reached.open, reached.tried), (0, 0), "{found:#?}");
    }
}
