//! Inputs on which only a function with a bug faults.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;

use estrange_oracle::{Subject, Variant};
use estrange_words::Language;

/// How many inputs tell these two apart by a fault of the first.
fn found(function: &str, vulnerable: &str, patched: &str) -> usize {
    let oracle = &support::ORACLE;
    let flags: [String; 0] = [];
    let subject = Subject { text: vulnerable, function, at: None, language: Language::C, flags: &flags, seed: 0 };
    let prepared = oracle.original(&subject).unwrap().unwrap();
    let names = BTreeMap::new();
    let mended = prepared.mended(&Variant { text: patched, function, names: &names, known: &[] }, 4).unwrap().unwrap();
    for input in &mended {
        eprintln!("{}", input.text());
    }
    mended.len()
}

#[test]
fn a_sum_that_overflows() {
    let vulnerable = "int sum(const int *all, unsigned long count)\n{\n    int total = 0;\n    for (unsigned long i = 0; i < count; i++)\n        total += all[i];\n    return total;\n}\n";
    let patched = vulnerable.replace("int total", "unsigned total").replace("return total", "return (int)total");
    assert!(found("sum", vulnerable, &patched) > 0);
}

#[test]
fn one_byte_too_many() {
    let vulnerable = "#include <string.h>\nsize_t fill(char *to, size_t room, const char *from, size_t length)\n{\n    if (length > room + 1)\n        return 0;\n    memcpy(to, from, length);\n    return length;\n}\n";
    assert!(found("fill", vulnerable, &vulnerable.replace("room + 1", "room")) > 0);
}

#[test]
fn what_is_the_same_gives_none() {
    let text =
        "int at(const int *all, unsigned long count, unsigned long i)\n{\n    return i <= count ? all[i] : 0;\n}\n";
    assert_eq!(found("at", text, &text.replace("all[i]", "*(all + i)")), 0);
}
