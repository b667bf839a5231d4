//! Pairs that differ only in where they are undefined are told apart without a run, and right rewrites are not.
//!
//! The pairs are in `undefined/*.md`: of each heading the first text is the old one, the second the new one.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use estrange_evidence::undefined::{Checks, Subject, same_checks};
use estrange_evidence::{Clang, Language, Pair, Renames};
use estrange_sandbox::Workshop;
use estrange_text::lexer::{Kind, Token, lex};

struct Case {
    name: String,
    old: String,
    new: String,
}

/// The pairs of a page.
fn cases(page: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/undefined").join(page);
    let text = std::fs::read_to_string(path).unwrap();
    let sections = text.split("\n## ").skip(1);
    sections
        .map(|section| {
            let (name, rest) = section.split_once('\n').unwrap();
            let blocks: Vec<&str> = rest.split("```").collect();
            let code = |at: usize| blocks[at].split_once('\n').unwrap().1.to_owned();
            Case { name: name.to_owned(), old: code(1), new: code(3) }
        })
        .collect()
}

/// The names that differ where two texts are the same but for them.
fn renames(old: &str, new: &str) -> Renames {
    let words = |text: &str| {
        let tokens: Vec<Token> = lex(text).into_iter().filter(|token| token.kind != Kind::Directive).collect();
        tokens.iter().map(|token| (token.kind, token.text(text).to_owned())).collect::<Vec<_>>()
    };
    let (ours, theirs) = (words(old), words(new));
    let is_like = ours.len() == theirs.len()
        && ours.iter().zip(&theirs).all(|(a, b)| a == b || (a.0 == Kind::Identifier && b.0 == Kind::Identifier));
    let pairs = ours.iter().zip(&theirs).filter(|(a, b)| is_like && a != b);
    Renames::new(pairs.map(|(a, b)| (a.1.as_str(), b.1.as_str())))
}

fn found(language: Language, cases: &[Case]) -> Vec<Checks> {
    let clang = Clang::find(&Workshop::temporary().unwrap()).unwrap();
    let renames: Vec<Renames> = cases.iter().map(|case| renames(&case.old, &case.new)).collect();
    let pairs: Vec<Pair<'_>> =
        cases.iter().zip(&renames).map(|(case, renames)| Pair { old: &case.old, new: &case.new, renames }).collect();
    same_checks(&clang, language, &[], &pairs).unwrap()
}

const PAGES: [(&str, Language); 2] = [("c.md", Language::C), ("cpp.md", Language::Cpp)];

#[test]
fn what_differs_only_in_where_it_is_undefined_is_told_apart() {
    let mut missed = Vec::new();
    let mut count = 0;
    for (page, language) in PAGES {
        let cases = cases(&format!("apart-{page}"));
        count += cases.len();
        for (case, checks) in cases.iter().zip(found(language, &cases)) {
            match checks {
                Checks::Different(lapses) => {
                    assert!(!lapses.is_empty());
                    println!("{}: {lapses:?}", case.name);
                }
                // Both hold the same checks, of other numbers: running tells them apart.
                Checks::Same if case.name.ends_with(", by running") => {}
                other => missed.push(format!("{}: {other:?}", case.name)),
            }
        }
    }
    assert!(missed.is_empty(), "{} of {count}:\n{}", missed.len(), missed.join("\n"));
    assert!(count >= 45, "{count}");
}

#[test]
fn right_rewrites_are_undefined_in_the_same_ways() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (page, language) in PAGES {
        let cases = cases(&format!("same-{page}"));
        count += cases.len();
        for (case, checks) in cases.iter().zip(found(language, &cases)) {
            if checks != Checks::Same {
                wrong.push(format!("{}: {checks:?}", case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 45, "{count}");
}

#[test]
fn what_took_the_place_of_a_check_is_named() {
    let case = Case {
        name: String::new(),
        old: "int f(int a, int b) { return a + b; }".to_owned(),
        new: "int f(int a, int b) { return (int)((unsigned)a + (unsigned)b); }".to_owned(),
    };
    let Checks::Different(lapses) = found(Language::C, &[case]).remove(0) else { panic!("not told apart") };
    let [lapse] = &lapses[..] else { panic!("{lapses:?}") };
    assert_eq!((lapse.subject, lapse.is_exchange), (Subject::Overflow, true));
    assert_eq!((&*lapse.old, &*lapse.new), ("add i32 checked", "add i32 unchecked"));
}

#[test]
fn what_clang_refuses_is_not_compared() {
    let case = Case { name: String::new(), old: "int f(int a) { return a; }".to_owned(), new: "int f(".to_owned() };
    assert!(matches!(&found(Language::C, &[case])[..], [Checks::Refused(message)] if message.contains("error")));
}
