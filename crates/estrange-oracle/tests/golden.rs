//! What running shows of fixed functions and their rewrites: it changes only with the version.

#![allow(clippy::unwrap_used)]

#[path = "../../golden.rs"]
mod golden;
mod support;

use std::collections::BTreeMap;
use std::path::Path;

use estrange_evidence::Language;
use estrange_oracle::{Subject, VERSION, Variant};
use support::ORACLE;

const CASES: [(&str, Language, &str, &str); 3] = [
    (
        "numbers",
        Language::C,
        "int f(int a, unsigned b) { if (a > 1000) return a - 7; for (int i = 0; i < 4; i++) a ^= (int)(b >> i); return a; }",
        "int f(int a, unsigned b) { if (a >= 1000) return a - 7; for (int i = 0; i < 4; i++) a ^= (int)(b >> i); return a; }",
    ),
    (
        "a list",
        Language::C,
        "struct node { struct node *next; int value; };\n\
         int f(const struct node *list) { int n = 0; while (list) { n += list->value > 3; list = list->next; } return n; }",
        "struct node { struct node *next; int value; };\n\
         int f(const struct node *list) { int n = 0; while (list) { n += list->value > 4; list = list->next; } return n; }",
    ),
    (
        "a string",
        Language::Cpp,
        "#include <string>\nint f(const std::string &text) { int n = 0; for (char c : text) n += c == 'a'; return n; }",
        "#include <string>\nint f(const std::string &text) { int n = 0; for (char c : text) n += c == 'b'; return n; }",
    ),
];

#[test]
fn what_running_shows_changes_with_the_version_only() {
    let names = BTreeMap::new();
    let outputs = CASES.map(|(name, language, text, wrong)| {
        let subject = Subject { text, function: "f", at: None, language, flags: &[], seed: 1 };
        let prepared = ORACLE.original(&subject).unwrap().unwrap();
        let rewrites = [text, wrong].map(|text| Variant { text, function: "f", names: &names, known: &[] });
        let checked = prepared.check(&rewrites).unwrap();
        (name.to_owned(), format!("{:?}\n{checked:?}", prepared.record()))
    });
    golden::check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden.txt"), VERSION, &outputs);
}
