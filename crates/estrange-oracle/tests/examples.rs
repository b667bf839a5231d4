//! Inputs to ask about, and what calls on them come to in words.

#![allow(clippy::unwrap_used)]

mod support;

use estrange_evidence::Compiler;
use estrange_oracle::{Input, Outcome, Replay, Subject};
use estrange_words::Language;

fn subject<'t>(text: &'t str, function: &'t str) -> Subject<'t> {
    Subject { text, function, at: None, language: Language::C, flags: &[], seed: 7 }
}

/// What a function returns on an input, or what it leaves in memory, and its call.
fn outcome(
    replay: &Replay<'_>,
    input: &Input,
    compiler: Compiler,
) -> (Option<Outcome>, Vec<(String, Outcome)>, String) {
    let compiled = replay.build(None, compiler).unwrap().unwrap();
    let ran = compiled.run(&replay.fit(input).unwrap()).unwrap().unwrap();
    (replay.returned(&ran), replay.left(&ran), replay.call(&ran))
}

fn on(text: &str, function: &str, input: &str) -> (Option<Outcome>, Vec<(String, Outcome)>, String) {
    let replay = support::ORACLE.replay(&subject(text, function)).unwrap().unwrap();
    let input = Input::read(input).unwrap();
    let by = [Compiler::Gcc, Compiler::Clang].map(|compiler| outcome(&replay, &input, compiler));
    assert_eq!(by[0], by[1]);
    by[0].clone()
}

#[test]
fn what_is_returned_is_told_by_its_type() {
    let number = |value, bits| Some(Outcome::Number { value, bits });
    for (text, input, expected) in [
        ("int f(int a, int b) { return a - b; }", "[3, 5]", number(-2, 32)),
        ("unsigned f(unsigned a) { return a - 1; }", "[0]", number(u32::MAX.into(), 32)),
        ("char f(const char *a) { return a[1]; }", "[\"xyz\"]", number(121, 8)),
        ("_Bool f(int a) { return a > 1; }", "[2]", number(1, 8)),
        ("double f(int a) { return a / 4.0; }", "[3]", Some(Outcome::Real(0.75))),
        ("const char *f(const char *a) { return a + 2; }", "[\"hello\"]", Some(Outcome::Text(b"llo".to_vec()))),
        ("const char *f(int a) { return a ? \"yes\\n\" : \"no\"; }", "[1]", Some(Outcome::Text(b"yes\n".to_vec()))),
        ("const char *f(const char *a) { return *a ? a : 0; }", "[\"\"]", Some(Outcome::Null)),
    ] {
        let (returned, left, call) = on(text, "f", &format!("{{\"estrange-input\": 1, \"arguments\": {input}}}"));
        assert_eq!((returned, left), (expected, Vec::new()), "{text}: {call}");
        assert!(call.contains("f("), "{call}");
    }
}

#[test]
fn outcomes_are_written_as_code_writes_them() {
    let number = Outcome::Number { value: -2, bits: 32 };
    let all = [number, Outcome::Real(33.0), Outcome::Text(b"a\"\n\xff".to_vec()), Outcome::Null];
    assert_eq!(all.map(|outcome| outcome.to_string()), ["-2", "33.0", r#""a\"\n\377""#, "NULL"]);
}

#[test]
fn a_program_that_has_just_begun_holds_what_its_text_says() {
    let text = "static int rate = 3; int f(int a) { return a * rate; }";
    let replay = support::ORACLE.replay(&subject(text, "f")).unwrap().unwrap();
    let input = Input::read(r#"{"estrange-input": 1, "arguments": [5], "globals": {"0 rate": 7}}"#).unwrap();
    let returned = |input: &Input| outcome(&replay, input, Compiler::Clang).0.unwrap().to_string();
    assert_eq!((returned(&input), returned(&input.at_the_start())), ("35".to_owned(), "15".to_owned()));
}

#[test]
fn what_returns_nothing_leaves_something_in_memory() {
    let text = "void f(int a, int *out, char *name) { *out = a * 2; name[0] = 'J'; }";
    let input = r#"{"estrange-input": 1, "arguments": [21, [0], "hello"]}"#;
    let (returned, mut left, _) = on(text, "f", input);
    left.sort_by(|one, other| one.0.cmp(&other.0));
    let held = |place: &str, outcome| (place.to_owned(), outcome);
    let expected =
        [held("*out", Outcome::Number { value: 42, bits: 32 }), held("name", Outcome::Text(b"Jello".to_vec()))];
    assert_eq!((returned, left.as_slice()), (None, &expected[..]));
}

#[test]
fn inputs_to_ask_about_are_plain_and_the_same_each_time() {
    let text = "int f(const char *a, int b) { int n = 0; while (*a) n += *a++ == 'x' ? b : 1; return n; }";
    let examples = || support::ORACLE.original(&subject(text, "f")).unwrap().unwrap().examples(3).unwrap();
    let first = examples();
    assert_eq!(first.len(), 3);
    assert_eq!(first, examples());
    let replay = support::ORACLE.replay(&subject(text, "f")).unwrap().unwrap();
    for input in &first {
        assert!(input.is_portable());
        let by = [Compiler::Gcc, Compiler::Clang].map(|compiler| outcome(&replay, input, compiler));
        assert!(by[0].0.is_some() && by[0] == by[1], "{by:?}");
    }
    assert_eq!(support::ORACLE.name_at(text, 0, Language::C, &[]).unwrap().as_deref(), Some("f"));
}
