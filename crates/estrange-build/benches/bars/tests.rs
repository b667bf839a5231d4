//! Tests of the parts of the benchmark that could measure the wrong thing without anybody noticing.

mod removal;
mod sample;

use estrange_sandbox::Workshop;
use estrange_unit::{Flat, Parser};
use removal::{removables, without};
use sample::Chance;

/// What is left of a text after each removal, with the name of what went.
fn removals(text: &str, language: &str) -> Vec<(String, String)> {
    let parser = Parser::new(1, &Workshop::temporary().expect("a workshop")).expect("a parser");
    let flat = Flat { text: text.to_owned(), ..Flat::default() };
    let reading = parser.read(&flat, &[language.to_owned()]).expect("reads");
    assert!(reading.troubles.is_empty(), "{:?}", reading.troubles);
    let removables = removables(text, &reading);
    removables.into_iter().map(|each| (each.name.clone(), without(text, &each.range))).collect()
}

#[test]
fn a_declaration_goes_with_its_semicolon_and_attributes() {
    let text = "int f(void) __attribute__((pure));\nstruct a { int x; };\nint g(void) { return f(); }\n";
    let rest: Vec<String> = removals(text, "-xc").into_iter().map(|(_, rest)| rest).collect();
    assert_eq!(
        rest,
        [
            "\nstruct a { int x; };\nint g(void) { return f(); }\n",
            "int f(void) __attribute__((pure));\n\nint g(void) { return f(); }\n",
            "int f(void) __attribute__((pure));\nstruct a { int x; };\n\n",
        ]
    );
}

#[test]
fn declarators_that_share_a_text_go_together() {
    let names: Vec<String> =
        removals("typedef struct s { int x; } t, *p;\nint a, b;\n", "-xc").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["t", "a"], "one removal each, named after the declaration that reaches farthest");
}

#[test]
fn namespaces_and_linkage_blocks_are_looked_into() {
    let text = "namespace n { class c; void f(c &); }\nextern \"C\" { int g(); }\nextern \"C\" int h();\nint z;\n";
    let removals = removals(text, "-xc++");
    let names: Vec<&str> = removals.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["c", "f", "g", "h", "z"]);
    let without_h = &removals[3].1;
    assert_eq!(without_h.matches("extern").count(), 1, "a bare extern \"C\" goes with its declaration: {without_h}");
}

#[test]
fn a_macro_without_a_semicolon_takes_nothing_with_it() {
    let text = "#define DECLARE(x) int x;\nDECLARE(a)\nint b;\n";
    let removals = removals(text, "-xc");
    assert!(removals[0].1.contains("int b;"), "{}", removals[0].1);
}

#[test]
fn a_sample_has_the_size_asked_for_and_comes_out_the_same() {
    let sample = || Chance::new(7).sample((0..1000).collect::<Vec<u32>>(), 50);
    assert_eq!(sample().len(), 50);
    assert_eq!(sample(), sample());
    assert_eq!(Chance::new(7).sample(vec![1, 2], 50), [1, 2]);
}
