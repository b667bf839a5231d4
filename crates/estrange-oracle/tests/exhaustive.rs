//! Functions with few inputs are run on all of them.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;

use estrange_evidence::Language;
use estrange_oracle::{Checked, Subject, Variant, Verdict};
use support::ORACLE;

fn checked(language: Language, text: &str, rewrites: &[&str]) -> Vec<Checked> {
    let names = BTreeMap::new();
    let subject = Subject { text, function: "f", at: None, language, flags: &[], seed: 1 };
    let prepared = ORACLE.original(&subject).unwrap().unwrap();
    let variants: Vec<Variant<'_>> =
        rewrites.iter().map(|text| Variant { text, function: "f", names: &names, known: &[] }).collect();
    prepared.check(&variants).unwrap()
}

#[track_caller]
fn exhaustive(language: Language, text: &str, inputs: u32, wrong: &[String]) {
    let all: Vec<&str> = [text].into_iter().chain(wrong.iter().map(String::as_str)).collect();
    let found = checked(language, text, &all);
    assert_eq!(found[0].verdict, Verdict::Exhaustive, "{found:#?}");
    assert_eq!(found[0].reached.map(|reached| reached.all), Some(inputs), "{found:#?}");
    for (found, text) in found[1..].iter().zip(wrong) {
        assert!(matches!(found.verdict, Verdict::Differs(_)), "{text}: {found:#?}");
    }
}

#[test]
fn few_inputs_are_all_tried() {
    let text = "static const unsigned char table[4] = {3, 1, 4, 1};
        unsigned f(unsigned char a, signed char b) { return a * 31u + table[b & 3] + (b < 0 ? 7u : 0u); }";
    // Two inputs of 65,536 are others: no search finds them, since the code says nothing about them.
    let hash = "if ((a * 40503u ^ (unsigned char)b * 2654435761u) % 65521 == 4711) return 1;";
    exhaustive(Language::C, text, 1 << 16, &[text.replacen("return", &format!("{hash} return"), 1)]);
    let text =
        "enum colour { RED, GREEN = 2, BLUE = 5 }; struct mix { enum colour of; unsigned strong : 3; _Bool is; };
        int f(struct mix mix, short by) { return mix.is ? by / (mix.of + 1) + mix.strong : by; }";
    // 8 colours, 8 strengths, 2 and 65,536: too many.
    let found = checked(Language::C, text, &[text]);
    assert_eq!(found[0].verdict, Verdict::Agrees, "{found:#?}");
    let text = text.replace("short by", "signed char by");
    exhaustive(Language::C, &text, 1 << 15, &[text.replace("mix.is ?", "mix.is && (mix.of != 7 || by != 99) ?")]);
    let text = "enum class E : unsigned char { A, B, C }; bool f(E e, bool b, char16_t c) { return e == E::C ? b : c > 0xd800; }";
    exhaustive(Language::Cpp, text, 1 << 19, &[text.replace("c > 0xd800", "c > 0xd800 && c != 0xfffe")]);
}

/// What ends otherwise on one input is seen; what divides by zero in both is the same.
#[test]
fn ends_are_compared_too() {
    let text = "int f(unsigned char a, unsigned char b) { return a / b; }";
    exhaustive(
        Language::C,
        text,
        1 << 16,
        &["int f(unsigned char a, unsigned char b) { return b ? a / b : 0; }".into()],
    );
}

/// What keeps or sees something else has more inputs than its arguments.
#[test]
fn what_sees_more_is_not_run_on_all() {
    for text in [
        "int f(unsigned char a) { static int n; return a + ++n; }",
        "#include <stdlib.h>\nint f(unsigned char a) { return getenv(\"A\") ? a : a + 1; }",
        "int n; int f(unsigned char a) { return a + n; }",
    ] {
        let found = checked(Language::C, text, &[text]);
        assert!(matches!(found[0].verdict, Verdict::Agrees | Verdict::AgreesWeakly), "{found:#?}");
    }
    let text = "int f(unsigned char a) { return a + 1; }";
    let other = "static int n; int f(unsigned char a) { return a + 1 + (++n > 1000000); }";
    assert!(!matches!(checked(Language::C, text, &[other])[0].verdict, Verdict::Exhaustive));
}
