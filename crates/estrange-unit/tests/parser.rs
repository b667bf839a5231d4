//! The parser survives: what libclang does not is a typed loss of one file or one function, and the next request works.

use std::fs;

use estrange_sandbox::Workshop;
use estrange_unit::{
    Checked, Flat, FlattenLoss, Group, Language, Parser, ParserLoss, SystemFolders, Translation, Wanted, flatten,
};
use estrange_words::Reason;

/// Enough minus signs to overflow the parser's stack.
const DEEP: usize = 100_000;

/// A parser in one process, so that what follows a crash meets the process that follows the one that crashed.
fn parser() -> Parser {
    Parser::new(1, &Workshop::temporary().expect("a workshop")).expect("a parser")
}

fn c() -> Vec<String> {
    vec!["-xc".to_owned()]
}

/// A text with nothing to include, flattened.
fn flat(text: &str) -> Flat {
    try_flat(text).expect("gcc flattens it")
}

fn try_flat(text: &str) -> Result<Flat, FlattenLoss> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("text.c");
    fs::write(&file, text).expect("a file");
    let folders = SystemFolders::from_compiler("#include <...> search starts here:\n /usr/include\nEnd\n");
    let workshop = Workshop::temporary().expect("a workshop").showing([folder.path()]);
    flatten(&workshop, &file, &c(), folder.path(), &folders)
}

fn read(parser: &Parser, text: &str) -> Translation {
    let flat = flat(text);
    let reading = parser.read(&flat, &c()).expect("the parser lives");
    Translation { key: text.to_owned(), language: Language::C, flat, reading }
}

/// Asks for all functions, in order.
fn wanted(translation: &Translation) -> Vec<Wanted> {
    let functions = translation.functions();
    functions
        .iter()
        .map(|found| Wanted { declaration: found.declaration, missed: Vec::new(), checked: Vec::new() })
        .collect()
}

#[test]
fn a_text_that_overflows_the_stack_is_a_typed_loss_and_the_next_one_is_read() {
    let parser = parser();
    let hostile = format!("int f(int x) {{ return {}x; }}\n", "- ".repeat(DEEP));
    let loss = parser.read(&flat(&hostile), &c()).expect_err("no stack is that deep");
    assert!(matches!(&loss, ParserLoss::Crashed(_)), "{loss:?}");
    assert_eq!(loss.reason(), Reason::ParserCrashed);
    let reading = parser.read(&flat("int f(int x) { return x; }\n"), &c()).expect("another process reads it");
    assert_eq!(reading.declarations[0].name, "f");
    assert_eq!(parser.check(&hostile, &c()).expect_err("it crashes here too").reason(), Reason::ParserCrashed);
    assert_eq!(parser.check("int x;\n", &c()), Ok(Vec::new()));
}

#[test]
fn parentheses_beyond_the_parsers_own_bound_are_an_error_and_no_crash() {
    let parser = parser();
    let text = format!("int x = {}1{};\n", "(".repeat(DEEP), ")".repeat(DEEP));
    let troubles = parser.check(&text, &c()).expect("the parser lives");
    assert!(troubles[0].message.contains("nesting"), "{troubles:?}");
    let deeper = ["-xc", "-fbracket-depth=1000000"].map(str::to_owned);
    assert_eq!(parser.check(&text, &deeper).expect_err("without the bound it crashes").reason(), Reason::ParserCrashed);
}

#[test]
fn a_function_whose_unit_crashes_the_parser_costs_only_itself() {
    let parser = parser();
    let filler = "- ".repeat(DEEP);
    let text = |middle: &str| {
        format!(
            "int first(int x) {{ return x; }}\n\
             int second(int x) {{ return {middle} first(x); }}\n\
             int third(int x) {{ return second(x); }}\n"
        )
    };
    // The file is read while the depth is a comment of the same length, so that only the unit is deep.
    let mut translation = read(&parser, &text(&format!("/*{}*/", " ".repeat(filler.len() - 4))));
    translation.flat = flat(&text(&filler));
    let units = parser.units(&translation, &[c()], &wanted(&translation)).expect("the parser can be had");
    assert_eq!(units.len(), 3);
    assert_eq!(units[0].unit.as_ref().expect("the first").text, "int first(int x) { return x; }\n");
    assert_eq!(units[1].unit.as_ref().expect_err("the second is too deep").reason, Reason::ParserCrashed);
    let third = "int second(int x);\n\nint third(int x) { return second(x); }\n";
    assert_eq!(units[2].unit.as_ref().expect("the third").text, third);
}

#[test]
fn a_file_of_nothing_but_errors_is_read_with_its_troubles() {
    let parser = parser();
    let translation = read(&parser, "][ this is (no C; at all {{{\n%%% ++ --\n}} ) struct;\n");
    assert!(!translation.reading.troubles.is_empty());
    assert!(translation.functions().is_empty(), "{:?}", translation.functions());
    let troubles = parser.check("#include <there/is/no/such/header.h>\n", &c()).expect("the parser lives");
    assert!(troubles[0].message.contains("no/such/header.h"), "{troubles:?}");
}

#[test]
fn what_the_preprocessor_refuses_is_a_typed_loss() {
    for text in
        ["#include \"text.c\"\n", "#error not here\n", "#include \"missing.h\"\n", "#if\n", "char *x = \"open;\n"]
    {
        let loss = try_flat(text).expect_err(text);
        assert_eq!(loss.reason(), Reason::DoesNotPreprocess, "{text}: {loss}");
        assert!(loss.to_string().contains("error"), "{text}: {loss}");
    }
}

#[test]
fn what_is_sound_in_a_file_with_errors_is_found() {
    let parser = parser();
    let translation = read(&parser, "unknown_type broken(void) { return }\nint sound(void) { return 1; }\n");
    assert!(!translation.reading.troubles.is_empty());
    let functions = translation.functions();
    let sound = functions.iter().find(|found| found.name == "sound").expect("the sound one");
    let wanted = [Wanted { declaration: sound.declaration, missed: Vec::new(), checked: Vec::new() }];
    let units = parser.units(&translation, &[c()], &wanted).expect("the parser can be had");
    assert_eq!(units[0].unit.as_ref().expect("a unit").text, "int sound(void) { return 1; }\n");
}

#[test]
fn a_unit_that_cannot_compile_is_a_typed_loss() {
    let parser = parser();
    let translation = read(&parser, "int uses(void) { return missing_everywhere; }\n");
    let units = parser.units(&translation, &[c()], &wanted(&translation)).expect("the parser can be had");
    let loss = units[0].unit.as_ref().expect_err("nothing declares it");
    assert_eq!(loss.reason, Reason::UnitDoesNotCompile);
    assert!(loss.detail.contains("missing_everywhere"), "{loss:?}");
}

#[test]
fn the_first_alternative_that_works_is_taken_and_told() {
    let parser = parser();
    let translation = read(&parser, "int old(x) int x; { return x; }\nint plain(void) { return 1; }\n");
    // Parameters in the style of before 1989 are gone since C23.
    let alternatives = [vec!["-xc".to_owned(), "-std=c23".to_owned()], vec!["-xc".to_owned(), "-std=c17".to_owned()]];
    let units = parser.units(&translation, &alternatives, &wanted(&translation)).expect("the parser can be had");
    let flags: Vec<&[String]> =
        units.iter().map(|tried| tried.unit.as_ref().expect("a unit").flags.as_slice()).collect();
    assert_eq!(flags, [["-std=c17"], ["-std=c23"]]);
}

#[test]
fn what_another_compiler_missed_is_added() {
    let parser = parser();
    let translation = read(&parser, "static int helper(int x) { return x; }\nint plain(void) { return 1; }\n");
    let plain = translation.functions()[1].declaration;
    let wanted = [Wanted { declaration: plain, missed: vec!["helper".to_owned()], checked: Vec::new() }];
    let units = parser.units(&translation, &[c()], &wanted).expect("the parser can be had");
    let unit = "static int helper(int x) { return x; }\n\nint plain(void) { return 1; }\n";
    assert_eq!(units[0].unit.as_ref().expect("a unit").text, unit);
}

#[test]
fn what_is_known_of_the_texts_on_the_way_is_not_asked_again() {
    let parser = parser();
    let text = "static int helper(int x) { return x; }\nint plain(void) { return 1; }\n";
    let tried = |text: &str, checked: Vec<Checked>| {
        let translation = read(&parser, text);
        let plain = translation.functions()[1].declaration;
        let wanted = [Wanted { declaration: plain, missed: vec!["helper".to_owned()], checked }];
        parser.units(&translation, &[c()], &wanted).expect("the parser can be had").remove(0)
    };
    let first = tried(text, Vec::new());
    assert!(first.is_new);
    // The file changes behind the function, then in what its unit holds.
    let again = tried(&format!("{text}int more(void) {{ return 2; }}\n"), first.checked.clone());
    assert_eq!((&again.unit, again.is_new), (&first.unit, false));
    let other = tried(&text.replace("return x", "return -x"), first.checked);
    assert!(other.is_new);
}

#[test]
fn the_same_question_has_the_same_answer() {
    let text = "#include <stdio.h>\nstruct a { int x; };\nenum { B = 3 };\n#define C(it) ((it)->x + B)\n\
                static int d(struct a *a) { return C(a); }\nint e(struct a *a) { return d(a) + puts(\"e\"); }\n";
    let first = parser();
    let second = parser();
    let translation = read(&first, text);
    assert_eq!(read(&first, text).reading, translation.reading, "in the same process");
    assert_eq!(read(&second, text).reading, translation.reading, "in another process");
    let wanted = wanted(&translation);
    let units = first.units(&translation, &[c()], &wanted).expect("the parser can be had");
    assert!(units.iter().all(|tried| tried.unit.is_ok()), "{units:?}");
    assert_eq!(first.units(&translation, &[c()], &wanted).as_ref(), Ok(&units), "in the same process");
    assert_eq!(second.units(&translation, &[c()], &wanted).as_ref(), Ok(&units), "in another process");
    assert_eq!(translation.functions(), translation.functions());
}

#[test]
fn a_function_whose_type_is_defined_in_place_ends_with_its_body() {
    let parser = parser();
    let translation = read(
        &parser,
        "struct { int a; } *one(void) { return 0; }\nint after_one(void) { return 1; }\n\
         enum { A, B } two(void) { return A; }\nint after_two(void) { return 2; }\n\
         union u { int i; float f; } three(void) { union u x; x.i = 1; return x; }\nint after_three(void) { return 3; }\n\
         static const struct s { int a; } four(x) int x; { struct s y = { x }; return y; }\nint after_four(void) { return 4; }\n\
         int five(struct p { int a; } *q) { return q->a; }\nint after_five(void) { return 5; }\n\
         int six(q) struct r { int a; } *q; { return q->a; }\nint after_six(void) { return 6; }\n\
         struct t { int a; } __attribute__((aligned(8))) seven(void) { struct t x = { 1 }; return x; }\n\
         int after_seven(void) { return 7; }\nstruct v { int a; } w = { 1 }, *declared(void);\nint eight(void) { return w.a; }\n",
    );
    let (found, lost) = translation.all_functions();
    let names: Vec<&str> = found.iter().map(|found| found.name.as_str()).collect();
    let expected = [
        "one",
        "after_one",
        "two",
        "after_two",
        "three",
        "after_three",
        "four",
        "after_four",
        "five",
        "after_five",
        "six",
        "after_six",
        "seven",
        "after_seven",
        "eight",
    ];
    assert_eq!(names, expected);
    assert!(lost.is_empty(), "{lost:?}");
    for function in &found {
        let others = names.iter().filter(|name| function.text.contains(&format!("{name}("))).count();
        // `after_one(` has `one(` in it.
        let own = 1 + usize::from(function.name.starts_with("after_"));
        assert_eq!(others, own, "{}", function.text);
        assert!(function.text.ends_with('}'), "{}", function.text);
        assert!(function.made_with.is_empty(), "{function:?}");
    }
}

#[test]
fn functions_that_one_macro_call_makes_are_all_found_and_tell_of_each_other() {
    let parser = parser();
    let translation = read(
        &parser,
        "struct item { int a; };\n\
         #define ACCESS(f) int get_##f(struct item *i) { return i->f; } void set_##f(struct item *i, int v) { i->f = v; }\n\
         ACCESS(a)\n\
         #define LIST(T) struct list_##T { T *first; }; int empty_##T(struct list_##T *l) { return !l->first; }\n\
         LIST(int)\n\
         #define ONE(name) int name(struct item *i); int name(struct item *i) { return i->a; }\n\
         ONE(single)\n\
         #define HEAD(name) int before_##name(void) { return 1; } int name(void)\n\
         HEAD(second) { return 2; }\n",
    );
    let found = translation.functions();
    let made: Vec<(&str, String)> =
        found.iter().map(|found| (found.name.as_str(), found.made_with.join(" "))).collect();
    let expected = [
        ("get_a", "set_a"),
        ("set_a", "get_a"),
        ("empty_int", "list_int"),
        ("single", ""),
        ("before_second", "second"),
        ("second", "before_second"),
    ];
    assert_eq!(made, expected.map(|(name, others)| (name, others.to_owned())));
    let single = found.iter().find(|found| found.name == "single").expect("it is there");
    assert_eq!(single.group, Group::Two);
}
