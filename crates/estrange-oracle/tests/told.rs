//! How a difference is told: a call that can be pasted and shows it, and what is another, as people write it.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;

use estrange_evidence::Language;
use estrange_oracle::{Difference, End, Seen, Subject, Variant, Verdict};
use estrange_sandbox::Tool;
use support::{ORACLE, verdicts};

fn difference(text: &str, wrong: &str, language: Language) -> Difference {
    let subject = Subject { text, function: "f", at: None, language, flags: &[], seed: 1 };
    let prepared = ORACLE.original(&subject).unwrap().unwrap();
    let found = verdicts(&prepared, &[Variant { text: wrong, function: "f", names: &BTreeMap::new(), known: &[] }]);
    let Verdict::Differs(difference) = &found[0] else { panic!("{found:#?}") };
    difference.clone()
}

/// What a text and a call behind it print.
fn pasted(text: &str, call: &str, language: Language, shown: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (name, compiler) = if language == Language::C { ("a.c", "gcc") } else { ("a.cpp", "g++") };
    let (setup, call) = call.trim_end().rsplit_once('\n').unwrap_or(("", call));
    let shown = shown.replace("CALL", call.trim_end_matches([';', '\n']));
    let program =
        format!("#include <stdio.h>\n#include <math.h>\n{text}\nint main() {{\n{setup}\n{shown}\nreturn 0; }}\n");
    std::fs::write(folder.path().join(name), &program).unwrap();
    let built = Tool::new(compiler).arguments([name, "-o", "a", "-lm"]).directory(folder.path()).run().unwrap();
    assert!(built.success(), "{}\n{program}", String::from_utf8_lossy(&built.stderr));
    Tool::new("./a").directory(folder.path()).run().unwrap().text()
}

/// Whether the call, pasted behind each of two texts, shows what the oracle says.
#[track_caller]
fn shows(text: &str, wrong: &str, language: Language, shown: &str) -> Difference {
    let found = difference(text, wrong, language);
    let [old, new] = [text, wrong].map(|text| pasted(text, &found.call, language, shown));
    assert_ne!(old, new, "{found:#?}");
    found
}

#[test]
fn texts_are_texts_and_numbers_are_numbers() {
    let text = "#include <string.h>\ndouble f(const char *name, double by, float k, char *out) {
        if (strcmp(name, \"etc\") == 0) return by * 2; if (k > 3) out[0] = 'x'; return by + k; }";
    let found = shows(text, &text.replace("by * 2", "by * 3"), Language::C, "printf(\"%a\", CALL);");
    assert_eq!(found.seen, Seen::Result);
    let [old, new] = [&found.old, &found.new].map(|value| value.parse::<f64>().unwrap());
    assert_eq!(old / 2.0 * 3.0, new, "{found:#?}");
    assert!(found.call.contains("] = \"etc\";\n"), "{}", found.call);
    assert!(found.call.contains("double by = ") && found.call.contains("float k = "), "{}", found.call);
    assert!(
        found.call.ends_with("f(name, by, k, out);\n") || found.call.contains("\nf(name, by, k, "),
        "{}",
        found.call
    );
    let found = difference(text, &text.replace("'x'", "'y'"), Language::C);
    // One may lead into the other.
    assert!(matches!(&found.seen, Seen::Place(place) if place == "out" || place == "name"), "{found:#?}");
    assert_eq!(found.old.replace('x', "y"), found.new, "{found:#?}");
}

#[test]
fn objects_are_found_by_the_way_that_leads_to_them() {
    let text = "enum kind { NONE, SOME = 7 }; struct item { int weight; enum kind kind; struct item *next; };
        int f(struct item *list, int by) { int n = 0; for (; list && n < 9; list = list->next, n++)
            if (list->weight > by) list->kind = SOME; return n; }";
    let shown = "CALL; for (struct item *at = list; at; at = at->next) printf(\"%d \", at->kind);";
    let wrong = text.replace("kind = SOME", "kind = NONE");
    let found = difference(text, &wrong, Language::C);
    let Seen::Place(place) = &found.seen else { panic!("{found:#?}") };
    assert!(place.starts_with("list->") && place.ends_with("kind"), "{found:#?}");
    assert_eq!((found.old.as_str(), found.new.as_str()), ("SOME", "NONE"), "{found:#?}");
    assert!(found.call.contains("struct item list = {.weight = "), "{}", found.call);
    // A ring would be printed forever.
    let is_ring = found.call.lines().any(|line| !line.contains('{') && line.contains(".next = "));
    let once = "CALL; printf(\"%d %d\", list.kind, list.next ? list.next->kind : 0);";
    let shown = if is_ring { once } else { &shown.replace("at = list;", "at = &list;") };
    let [old, new] = [text, &wrong].map(|text| pasted(text, &found.call, Language::C, shown));
    assert!(old != new || is_ring, "{found:#?}");
}

#[test]
fn what_is_printed_and_how_it_ends() {
    let text = "#include <stdio.h>\n#include <stdlib.h>\nint counter;
        void f(unsigned a) { counter += a & 3; if (a == 5) abort(); if (counter & 1) printf(\"got %u\\n\", a); }";
    let found = difference(text, &text.replace("got", "had"), Language::C);
    assert_eq!(found.seen, Seen::Printed, "{found:#?}");
    assert!(found.old.starts_with("\"got ") && found.new.starts_with("\"had "), "{found:#?}");
    let found = difference(text, &text.replace("abort()", "counter = 0"), Language::C);
    assert_eq!((&found.seen, found.old_end, found.new_end), (&Seen::End, End::Aborted, End::Returned), "{found:#?}");
    assert!(found.call.contains("unsigned a = 5;\n"), "{}", found.call);
    let found = difference(text, &text.replace("a & 3", "a & 1"), Language::C);
    assert_eq!(found.seen, Seen::Place("counter".to_owned()), "{found:#?}");
}

#[test]
fn what_code_cannot_write_is_said() {
    let text = "union u { int i; float f; }; struct s { union u u; enum { A, B } e; int (*call)(int); };
        int f(struct s *s, int n) { return (s->call ? s->call(n) : 3) + s->u.i + s->e; }";
    let found = difference(text, &text.replace(": 3)", ": 4)"), Language::C);
    assert!(found.call.contains("struct s s = {"), "{}", found.call);
    let wrong = text.replace("s->call(n)", "s->call(n + 1)");
    let found = difference(text, &wrong, Language::C);
    assert!(found.call.starts_with("/* function_0"), "{}", found.call);
    assert_eq!(found.seen, Seen::Call("function_0".to_owned()), "{found:#?}");
    let [old, new] = [&found.old, &found.new].map(|value| value.parse::<i64>().unwrap());
    assert_eq!(old + 1, new, "{found:#?}");
}

#[test]
fn objects_of_cpp() {
    let text = "#include <string>\nstruct S { int v; int f(const std::string &name, bool is) const {
        return is && name == \"etc\" ? v : v - 1; } };";
    let found = shows(text, &text.replace("v - 1", "v - 2"), Language::Cpp, "printf(\"%d\", CALL);");
    assert_eq!(found.seen, Seen::Result, "{found:#?}");
    assert!(found.call.contains("S object = ") && found.call.contains("object.f(name, is);\n"), "{}", found.call);
}
