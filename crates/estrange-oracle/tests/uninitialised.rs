//! What was never written and is used: clang's memory sanitizer sees it, and where.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;

use estrange_evidence::Language;
use estrange_oracle::{End, Input, NotStandalone, Place, Subject, Unwatchable, Variant};
use support::ORACLE;

/// How a function, or a rewrite of it, ends on arguments.
#[track_caller]
fn ends(text: &str, language: Language, rewrite: Option<&Variant<'_>>, arguments: &str) -> (End, Option<Place>) {
    let subject = Subject { text, function: "f", at: None, language, flags: &[], seed: 1 };
    let replay = ORACLE.replay(&subject).unwrap().unwrap();
    let input = Input::read(&format!("{{\"estrange-input\": 1, \"arguments\": {arguments}}}")).unwrap();
    let watched = replay.watched(rewrite, &replay.fit(&input).unwrap()).unwrap().unwrap();
    let first = watched.run().unwrap();
    assert_eq!(watched.run().unwrap(), first);
    first
}

const TEXT: &str = "static int read(const char *from, int *to) { if (*from == 'a') { *to = 7; return 1; } return 0; }
int f(const char *text) {
    int value;
    read(text, &value);
    if (value > 3)
        return 1;
    return 0;
}";

#[test]
fn a_variable_without_a_value() {
    let place = Place { line: 5, column: Some(9), function: "f".to_owned() };
    assert_eq!(ends(TEXT, Language::C, None, r#"["b"]"#), (End::UninitialisedUse, Some(place)));
    assert_eq!(ends(TEXT, Language::C, None, r#"["a"]"#), (End::Returned, None));
}

#[test]
fn a_rewrite_has_it_still_or_not() {
    let names = BTreeMap::from([("f".to_owned(), "g".to_owned())]);
    let renamed = TEXT.replace("int f(", "int g(");
    let mended = renamed.replace("int value;", "int value = 0;");
    let of = |text| Variant { text, function: "g", names: &names, known: &[] };
    let (end, place) = ends(TEXT, Language::C, Some(&of(&renamed)), r#"["b"]"#);
    assert_eq!((end, place.unwrap().function), (End::UninitialisedUse, "g".to_owned()));
    assert_eq!(ends(TEXT, Language::C, Some(&of(&mended)), r#"["b"]"#), (End::Returned, None));
}

#[test]
fn memory_of_the_heap_and_members_of_cpp() {
    let heap = "#include <stdlib.h>\nint f(int n) { int *all = malloc(8); if (n) all[0] = n;\nint is = all[0] > 1; free(all); return is; }";
    assert_eq!(ends(heap, Language::C, None, "[0]").0, End::UninitialisedUse);
    assert_eq!(ends(heap, Language::C, None, "[2]").0, End::Returned);
    let member = "#include <string>\nstruct box { int size; std::string name; box(const std::string &n) : name(n) { if (n.size() > 2) size = 1; } };
        int f(const std::string &name) { box made(name); return made.size > 0 ? 1 : 2; }";
    assert_eq!(ends(member, Language::Cpp, None, r#"["ab"]"#).0, End::UninitialisedUse);
    assert_eq!(ends(member, Language::Cpp, None, r#"["abc"]"#).0, End::Returned);
}

#[test]
fn other_ends_and_what_cannot_be_watched() {
    let stops = "#include <stdlib.h>\nint f(int n) { if (n == 1) abort(); if (n == 2) exit(3); if (n == 3) for (;;); return n; }";
    let end = |arguments| ends(stops, Language::C, None, arguments).0;
    assert_eq!([end("[1]"), end("[2]"), end("[4]")], [End::Aborted, End::Exited, End::Returned]);
    let subject = Subject { text: stops, function: "f", at: None, language: Language::C, flags: &[], seed: 1 };
    let replay = ORACLE.replay(&subject).unwrap().unwrap();
    let poor = Input::read(r#"{"estrange-input": 1, "arguments": [1], "no-memory": [0]}"#).unwrap();
    let why = replay.watched(None, &replay.fit(&poor).unwrap()).unwrap().unwrap_err();
    assert_eq!(why, Unwatchable::NotStandalone(NotStandalone::Memory));
}
