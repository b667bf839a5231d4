//! The findings in fixed units: they change only with the version, or with the analysers, whose versions are part of each
//! input's name.

#![allow(clippy::unwrap_used)]

mod common;
#[path = "../../golden.rs"]
mod golden;

use std::path::Path;

use common::{analyser, ask};
use estrange_analyser::{BuiltIn, VERSION};
use estrange_words::Language;

const UNITS: &[(&str, Language, &str)] = &[
    ("ledger.c", Language::C, include_str!("units/ledger.c")),
    ("shelf.cpp", Language::Cpp, include_str!("units/shelf.cpp")),
    ("broken.c", Language::C, "int f(int a) { return a + ; }\n"),
];

#[test]
fn findings_change_with_the_version_only() {
    let mut outputs = Vec::new();
    for &which in BuiltIn::ALL {
        let analyser = analyser(which.as_str());
        for (name, language, text) in UNITS {
            let answer = ask(&analyser, *language, text);
            outputs.push((format!("{name} by {which}, {}", analyser.version()), format!("{answer:#?}")));
        }
    }
    golden::check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden.txt"), VERSION, &outputs);
}
