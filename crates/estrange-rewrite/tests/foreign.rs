//! What of a foreign step's answer is accepted, in C and C++: as a part and as a whole file, and what is refused.

#![allow(clippy::unwrap_used)]

use std::collections::HashSet;
use std::convert::Infallible;

use estrange_clang::Clang;
use estrange_rewrite::{
    Applied, Choices, Contractor, Foreign, Given, InProcess, Interpreter, Recipe, Refusal, Stopped,
};
use estrange_words::{Language, Reason};

/// Gives the same answer to whatever it is asked.
struct Says<'a>(&'a str);

impl Contractor for Says<'_> {
    type Error = Infallible;

    fn carry_out(&self, step: &Foreign, given: &Given<'_>) -> Result<Result<String, Refusal>, Infallible> {
        assert_eq!(step, &Foreign::Command("it".to_owned()));
        assert!(!given.text.contains("//") && given.text[given.function.clone()].contains(given.name));
        Ok(Ok(self.0.to_owned()))
    }
}

/// What a text becomes whose function begins with some words, by an answer.
fn rewritten(text: &str, head: &str, language: Language, recipe: &str, answer: &str) -> Result<Applied, Reason> {
    let clang = Clang::load().unwrap();
    let arguments = [language.flag().to_owned()];
    let start = text.find(head).unwrap();
    let names = clang.names(text, &arguments);
    let function = names.functions.iter().find(|found| found.start as usize == start).unwrap();
    let interpreter = Interpreter {
        reader: &InProcess { clang: &clang, arguments: &arguments },
        language,
        is_standard: &|name| name == "abs",
        keep: &HashSet::new(),
        theirs: None,
        thesaurus: None,
        contractor: Some(&Says(answer)),
    };
    let recipe: Recipe = recipe.parse().unwrap();
    let place = function.start as usize..function.end as usize;
    interpreter.rewritten(text, place, &recipe, Choices { id: "f", seed: 0 }).map_err(|stopped| match stopped {
        Stopped::Declined(declined) => declined.reason(),
        Stopped::Unread(never) => match never {},
    })
}

const C: &str = "struct pair { int one, two; };\nint far(int n);\nstatic int help(int n) { return n + 1; }\n\
                 int sum(const struct pair *p) // here\n{ return p->one + far(p->two) + help(1); }\nint last;\n";

fn c(answer: &str) -> Result<Applied, Reason> {
    rewritten(C, "int sum", Language::C, "external:it", answer)
}

#[test]
fn a_part_stands_in_the_functions_place() {
    let made =
        c("/* mine */ int sum(const struct pair *p) { int n = far(p->two); return n + p->one + help(1); }").unwrap();
    assert!(
        made.new.text.contains("int n = far(p->two)") && made.new.text.ends_with("int last;\n"),
        "{}",
        made.new.text
    );
    assert!(!made.new.text.contains("mine"), "{}", made.new.text);
    // What it needs anew comes with it, and gets a name with the others.
    let answer = "static int twice(int n) { return n * 2; }\n\
                  int sum(const struct pair *p) { return p->one + far(p->two) + twice(1); }";
    let made = rewritten(C, "int sum", Language::C, "external:it,neutralize", answer).unwrap();
    let function = &made.new.text[made.new.function.clone()];
    assert!(function.starts_with("int func_0(") && !made.new.text.contains("twice"), "{}", made.new.text);
}

#[test]
fn a_whole_file_stands_in_the_files_place() {
    let whole = C.replace("+ help(1)", "+ 2").replace("static int help(int n) { return n + 1; }\n", "");
    let made = c(&whole).unwrap();
    assert!(!made.new.text.contains("help") && made.new.text.contains("+ 2;"), "{}", made.new.text);
    assert_eq!(&made.new.text[made.new.function.clone()][..7], "int sum");
}

#[test]
fn what_others_would_notice_is_refused() {
    let body = "{ return p->one + far(p->two) + help(2); }";
    let part = |head: &str| c(&format!("{head} {body}")).unwrap_err();
    assert_eq!(c(C).unwrap_err(), Reason::Unchanged);
    assert_eq!(c("").unwrap_err(), Reason::NoCodeGiven);
    assert_eq!(c("/* nothing */").unwrap_err(), Reason::NoCodeGiven);
    assert_eq!(c("int sum(").unwrap_err(), Reason::DoesNotParse);
    assert_eq!(part("int total(const struct pair *p)"), Reason::NameNotKept);
    assert_eq!(part("long sum(const struct pair *p)"), Reason::NameNotKept);
    assert_eq!(part("int sum(struct pair *p)"), Reason::NameNotKept);
    assert_eq!(part("static int sum(const struct pair *p)"), Reason::NameNotKept);
    let needs = "int near(int n);\nint sum(const struct pair *p) { return p->one + near(p->two); }";
    assert_eq!(c(needs).unwrap_err(), Reason::OutsideChanged);
    for (old, new) in
        [("int one, two", "int two, one"), ("int one, two", "long one, two"), ("int far(int n)", "int far(long n)")]
    {
        let whole = C.replace(old, new).replace("help(1)", "help(2)");
        assert_eq!(c(&whole).unwrap_err(), Reason::OutsideChanged, "{new}");
    }
}

#[test]
fn methods_and_templates_are_found_again() {
    let text = "namespace a {\nclass Box {\npublic:\n  int get() const;\n  int get();\nprivate:\n  int n_;\n};\n\
                int Box::get() const { return n_; }\nint Box::get() { return -n_; }\n}\n\
                template <class T> T twice(T t) { return t + t; }\nint use(int n) { return twice(n); }\n";
    let cpp = |head: &str, answer: &str| rewritten(text, head, Language::Cpp, "external:it", answer);
    let made = cpp("int Box::get() const", "int Box::get() const { return 0 + n_; }").unwrap();
    assert!(made.new.text.contains("const { return 0 + n_; }\nint Box::get() { return -n_; }"), "{}", made.new.text);
    assert_eq!(
        cpp("int Box::get() const", "int Box::get() volatile { return n_; }").unwrap_err(),
        Reason::DoesNotParse
    );
    let made =
        cpp("template <class T>", "template <class T> T twice(T t) { T sum = t; sum += t; return sum; }").unwrap();
    assert!(made.new.text[made.new.function.clone()].contains("sum += t"), "{}", made.new.text);
}
