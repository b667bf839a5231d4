//! Inputs that a search found are written, read and run again: they show the same under other names and in another shape.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;

use estrange_evidence::{Compiler, Language};
use estrange_oracle::{End, Input, InputError, Ran, Subject, Variant};
use support::{ORACLE, verdicts};

fn subject(text: &str, language: Language) -> Subject<'_> {
    Subject { text, function: "f", at: None, language, flags: &[], seed: 1 }
}

/// The input that shows what `wrong` does differently, through its file.
fn witness(text: &str, wrong: &str, language: Language) -> Input {
    let prepared = ORACLE.original(&subject(text, language)).unwrap().unwrap();
    let none = BTreeMap::new();
    let found = verdicts(&prepared, &[Variant { text: wrong, function: "f", names: &none, known: &[] }]);
    let input = prepared.witness(&found[0]).unwrap().unwrap();
    Input::read(&input.text()).unwrap()
}

fn run(text: &str, rewrite: Option<Variant<'_>>, language: Language, input: &Input) -> [Ran; 2] {
    let replay = ORACLE.replay(&subject(text, language)).unwrap().unwrap();
    let fitted = replay.fit(input).unwrap();
    [Compiler::Gcc, Compiler::Clang].map(|compiler| {
        let side = replay.build(rewrite.as_ref(), compiler).unwrap().unwrap();
        side.run(&fitted).unwrap().unwrap()
    })
}

/// The input that is found is written by its values, and shows a difference again.
#[track_caller]
fn shows_again(text: &str, wrong: &str, language: Language) -> Input {
    let input = witness(text, wrong, language);
    assert!(input.is_portable(), "{}", input.text());
    let none = BTreeMap::new();
    let variant = Variant { text: wrong, function: "f", names: &none, known: &[] };
    let replay = ORACLE.replay(&subject(text, language)).unwrap().unwrap();
    for (old, new) in run(text, None, language, &input).iter().zip(run(text, Some(variant), language, &input)) {
        assert!(replay.difference(old, &new).is_some(), "{}\n{old:?}\n{new:?}", input.text());
    }
    input
}

#[test]
fn numbers_texts_and_buffers() {
    let text = "long f(long a, double b) { return a > 1000 ? (long)(b < 0.5) : a; }";
    shows_again(text, &text.replace("< 0.5", "<= 0.5").replace("1000", "1001"), Language::C);
    let text = "#include <string.h>\nint f(const char *name, char *out, unsigned n) { if (strcmp(name, \"etc\") == 0 && n) out[0] = 'x'; return (int)strlen(name); }";
    shows_again(text, &text.replace("'x'", "'y'"), Language::C);
}

#[test]
fn structs_lists_and_variables() {
    let text = "struct item { int weight; struct item *next; unsigned low : 3, high : 5; union { int i; float f; } u; }; static int counter = 3;
        int f(struct item *list, int by) { int n = counter & 1; for (; list && n < 9; list = list->next, n++) { counter++; if (list->weight > by) list->high = 7; } return n; }";
    let input = shows_again(text, &text.replace("high = 7", "high = 6"), Language::C);
    // Names mean nothing.
    let renamed = text.replace("list", "l").replace("counter", "g").replace("item", "s").replace("weight", "w");
    let names = BTreeMap::from(
        [("counter", "g"), ("struct item", "s"), ("item", "s")].map(|(a, b)| (a.to_owned(), b.to_owned())),
    );
    let variant = Variant { text: &renamed, function: "f", names: &names, known: &[] };
    let replay = ORACLE.replay(&subject(text, Language::C)).unwrap().unwrap();
    for (old, new) in run(text, None, Language::C, &input).iter().zip(run(text, Some(variant), Language::C, &input)) {
        assert!(replay.difference(old, &new).is_none(), "{old:?}\n{new:?}");
    }
    assert_eq!(run(&renamed, None, Language::C, &input)[0].end, End::Returned);
}

#[test]
fn functions_streams_and_what_the_system_says() {
    let text = "int f(int (*next)(void *, int), void *data) { int sum = 0; for (int i = 0; i < 3; i++) sum += next(data, i) > 0; return sum; }";
    shows_again(text, &text.replace("> 0", ">= 0"), Language::C);
    let text = "#include <stdio.h>\nint f(FILE *in) { int c = fgetc(in); return c == EOF ? -1 : c + fgetc(in); }";
    shows_again(text, &text.replace("-1", "-2"), Language::C);
    let text = "#include <stdlib.h>\nint f(int n) { const char *home = getenv(\"HOME\"); return home ? home[0] + n % 7 : n % 5; }";
    shows_again(text, &text.replace("% 7", "% 6"), Language::C);
}

#[test]
fn a_fault_is_saved_where_nothing_differs() {
    let text = "int f(int a, int b) { if (b == 77) return a / (b - 77); return a & b; }";
    let input = witness(text, text, Language::C);
    for ran in run(text, None, Language::C, &input) {
        assert_eq!((ran.end, ran.place.map(|place| place.line)), (End::DivisionByZero, Some(1)), "{}", input.text());
    }
}

#[test]
fn what_is_said_by_hand_is_what_the_function_gets() {
    let returned = |text: &str, language, input: &str| {
        let ran = run(text, None, language, &Input::read(input).unwrap());
        assert_eq!(ran[0].end, ran[1].end);
        ran[0].end
    };
    // Each asserts what it was given.
    let head = "#include <assert.h>\n#include <stdlib.h>\n#include <stdio.h>\n#include <string.h>\n";
    let c = |body: &str, input: &str| {
        assert_eq!(returned(&format!("{head}{body}"), Language::C, input), End::Returned, "{body}");
    };
    c(
        "struct n { struct n *next; char name[4]; unsigned a : 3, b : 5; }; static int before; static int seen[3];
         void f(struct n *ring, char **words, int (*ask)(int, int *), FILE *in) { int out = 0;
         assert(ring->next == ring && !strcmp(ring->name, \"ab\") && ring->a == 5 && ring->b == 0);
         assert(!strcmp(words[0], \"one\") && !strcmp(words[1], \"two\") && !words[2] && seen[1] == 7 && before == 0); before = seen[1];
         assert(ask(1, &out) == 4 && out == 9 && ask(2, &out) == 5 && ask(3, &out) == 5 && fgetc(in) == 'x');
         assert(!strcmp(getenv(\"HOME\"), \"/h\") && !getenv(\"PATH\") && getchar() == 'q' && !malloc(1));
         FILE *file = fopen(\"data\", \"r\"); assert(file && fgetc(file) == 'd'); fclose(file); }",
        r#"{ "estrange-input": 1, "about": "by hand",
             "arguments": { "0 ring": { "object": "ring" }, "1": ["one", "two", null],
                            "2": { "answers": [{ "returns": 4, "writes": { "1": 9 } }, 5] }, "3": { "content": "x" } },
             "globals": { "1 seen": [0, 7] }, "environment": { "HOME": "/h" }, "stdin": "q", "no-memory": [0],
             "files": { "data": "d" },
             "objects": { "ring": { "0 next": { "object": "ring" }, "1 name": "ab", "2 a": 5 } } }"#,
    );
    c(
        "void f(const char *a, unsigned long n) { assert(n == 3 && a[2] == 'c'); }",
        r#"{ "estrange-input": 1, "arguments": ["abc", 3] }"#,
    );
}

#[test]
fn what_does_not_fit_is_told() {
    let text = "struct s { int a; char name[4]; }; int f(int a, const char *text, struct s *s) { return a + text[0] + s->a + s->name[0]; }";
    let replay = ORACLE.replay(&subject(text, Language::C)).unwrap().unwrap();
    let said = |arguments: &str| {
        let input = Input::read(&format!("{{\"estrange-input\": 1, \"arguments\": {arguments}}}")).unwrap();
        replay.fit(&input).unwrap_err().to_string()
    };
    assert_eq!(said("[1]"), "it has 1 arguments, and the function takes 3 (a, text, s)");
    for (arguments, place) in [
        (r#"["x", "", null]"#, "argument 0 (`a`)"),
        (r#"[4294967296, "", null]"#, "argument 0 (`a`)"),
        (r#"[1, 5, null]"#, "argument 1 (`text`)"),
        (r#"[1, "", {"0": []}]"#, "argument 2 (`s`), member 0 (`a`)"),
        (r#"[1, "", {"2": 1}]"#, "argument 2 (`s`)"),
        (r#"[1, "", {"1": "12345"}]"#, "argument 2 (`s`), member 1 (`name`)"),
        (r#"[1, {"object": "none"}, null]"#, "argument 1 (`text`)"),
    ] {
        let said = said(arguments);
        assert!(said.starts_with(&format!("{place} does not fit: ")), "{said}");
    }
    let other = Input::read(r#"{"estrange-input": 1, "drawn": {"version": "0", "plan": "", "words": []}}"#).unwrap();
    assert!(matches!(replay.fit(&other), Err(InputError::DrawnElsewhere)));
}
