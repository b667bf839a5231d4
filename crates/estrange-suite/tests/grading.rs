//! Edits of small projects are graded as what they are, by the projects' own tests.

#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeSet;

use common::{CTESTED, MADE, grade, replace};
use estrange_suite::{Doubt, Grade, GradeError, Runs, Stability, Suite, Tests};

fn graded(text: &str) -> Grade {
    grade(&MADE, "made", "tally.c", "tally_sum", text).grade
}

#[test]
fn the_untouched_project_is_known() {
    let untouched = MADE.untouched();
    let names: Vec<&str> = untouched.tests.keys().map(String::as_str).collect();
    assert_eq!(names, ["1 sum", "2 range", "3 word", "4 clear"]);
    assert!(untouched.tests.values().all(|does| *does == Stability::Passes));
    assert_eq!(untouched.code, 0);
    let deeds: Vec<String> = untouched.deeds.iter().map(ToString::to_string).collect();
    assert_eq!(deeds, ["check returned"]);
    let deeds: Vec<String> = CTESTED.untouched().deeds.iter().map(ToString::to_string).collect();
    assert_eq!(deeds, ["build/test_clear exited in main", "build/test_sum returned", "build/test_word returned"]);
}

#[test]
fn what_is_right_passes_in_other_words_too() {
    let right = "int tally_sum(const int *numbers, size_t count)\n{\n    int all = 0;\n    while (count)\n        all += \
        numbers[--count];\n    return all;\n}";
    let passed = grade(&MADE, "made", "tally.c", "tally_sum", right);
    assert_eq!(passed.grade, Grade::Passed, "{passed:?}");
    assert_eq!(passed.runs.len(), 1);
    let with_helper = "static int helper(int a, int b) { return a + b; }\n#include <stdlib.h>\nint tally_sum(const int *numbers, \
        size_t count)\n{ int all = 0; while (count) all = helper(all, numbers[--count]); return all; }";
    assert_eq!(graded(with_helper), Grade::Passed);
    assert_eq!(grade(&CTESTED, "ctested", "tally.c", "tally_sum", with_helper).grade, Grade::Passed);
}

#[test]
fn what_is_wrong_fails_in_the_tests_that_notice() {
    let wrong = grade(&MADE, "made", "tally.c", "tally_sum", "int tally_sum(const int *n, size_t c) { return 0; }");
    assert_eq!(wrong.grade, Grade::Failed);
    assert_eq!(wrong.failed, BTreeSet::from(["1 sum".to_owned()]));
    assert_eq!(wrong.runs.len(), 2);
    let wrong = grade(&CTESTED, "ctested", "tally.c", "tally_word", "const char *tally_word(int n) { return \"\"; }");
    assert_eq!((wrong.grade, wrong.failed), (Grade::Failed, BTreeSet::from(["word".to_owned()])));
}

#[test]
fn each_way_to_end_is_told_apart() {
    let refused = grade(&MADE, "made", "tally.c", "tally_sum", "int tally_sum(const int *n, size_t c) { return x; }");
    assert_eq!(refused.grade, Grade::DoesNotCompile);
    assert!(refused.output.contains("'x' undeclared"), "{}", refused.output);
    let unlinked = "int elsewhere(void);\nint tally_sum(const int *n, size_t c) { return elsewhere(); }";
    assert_eq!(graded(unlinked), Grade::DoesNotLink);
    let crash = "int tally_sum(const int *n, size_t c) { return *(volatile int *)8; }";
    assert_eq!(graded(crash), Grade::Crashed);
    assert_eq!(grade(&CTESTED, "ctested", "tally.c", "tally_sum", crash).grade, Grade::Crashed);
    let hog = "#include <stdlib.h>\n#include <string.h>\nint tally_sum(const int *n, size_t c) { for (;;) memset(malloc(1 << \
        26), 1, 1 << 26); }";
    assert_eq!(graded(hog), Grade::Crashed);
    assert_eq!(graded("int tally_sum(const int *n, size_t c)\n{"), Grade::DoesNotCompile);
}

#[test]
fn what_hangs_is_ended() {
    let endless = "int tally_sum(const int *n, size_t c) { for (;;) *(volatile int *)n; }";
    let hung = grade(&MADE, "made", "tally.c", "tally_sum", endless);
    assert_eq!((hung.grade, hung.runs.len()), (Grade::TimedOut, 2));
}

#[test]
fn what_depends_on_chance_is_flaky() {
    let chance = "#include <sys/stat.h>\n#include <fcntl.h>\n#include <unistd.h>\nint tally_sum(const int *n, size_t c)\n{ unsigned char byte; \
        int file = open(\"/dev/urandom\", O_RDONLY); read(file, &byte, 1); close(file); return byte & 1 ? 7 : 8; }";
    let runs = Runs { passing: 20, other: 20 };
    let graded = MADE.grade(&[replace("made", "tally.c", "tally_sum", chance)], &Tests::All, runs).unwrap();
    assert_eq!(graded.grade, Grade::Flaky);
}

#[test]
fn only_the_tests_that_are_asked_count() {
    let wrong = replace("ctested", "tally.c", "tally_sum", "int tally_sum(const int *n, size_t c) { return 0; }");
    let ask = |test: &str| {
        let tests = Tests::Named(BTreeSet::from([test.to_owned()]));
        CTESTED.grade(std::slice::from_ref(&wrong), &tests, Runs::default()).map(|graded| graded.grade)
    };
    assert_eq!(ask("word").unwrap(), Grade::Passed);
    assert_eq!(ask("sum").unwrap(), Grade::Failed);
    assert!(matches!(ask("other"), Err(GradeError::NoTests)));
}

#[test]
fn edits_that_cannot_be_made_are_refused() {
    let grade = |path: &str, range| {
        let replacement = estrange_suite::Replacement { path: path.into(), range, text: String::new() };
        MADE.grade(&[replacement], &Tests::All, Runs::default())
    };
    assert!(matches!(grade("none.c", 0..1), Err(GradeError::NoFile { .. })));
    assert!(matches!(grade("../made/tally.c", 0..1), Err(GradeError::NoFile { .. })));
    assert!(matches!(grade("tally.c", 0..100_000), Err(GradeError::NoRange { .. })));
    // Nothing is made of this file.
    assert_eq!(grade("project.toml", 0..0).unwrap().grade, Grade::NotBuilt);
}

#[test]
fn only_what_depends_on_an_edit_is_built_and_each_edit_is() {
    let built = |suite: &Suite, project: &str, body: &str| {
        let text = format!("int tally_sum(const int *n, size_t c) {body}");
        grade(suite, project, "tally.c", "tally_sum", &text)
    };
    for (suite, project) in [(&*MADE, "made"), (&*CTESTED, "ctested")] {
        // One after the other, within a second.
        for body in ["{ return 7; }", "{ return 6; }", "{ return 7; }"] {
            let graded = built(suite, project, body);
            let expected = if body.contains('7') { Grade::Passed } else { Grade::Failed };
            assert_eq!(graded.grade, expected, "{project} {body}");
            assert!(!graded.output.contains("clear.c"), "{}", graded.output);
        }
    }
}

#[test]
fn several_texts_take_their_places_at_once() {
    let edits = [
        replace("made", "tally.c", "tally_sum", "int tally_sum(const int *n, size_t c) { return 7; }"),
        replace("made", "clear.c", "tally_clear", "void tally_clear(int *n, size_t c) { }"),
    ];
    let graded = MADE.grade(&edits, &Tests::All, Runs::default()).unwrap();
    assert_eq!((graded.grade, graded.failed), (Grade::Failed, BTreeSet::from(["4 clear".to_owned()])));
    assert!(!graded.doubts.iter().any(|doubt| matches!(doubt, Doubt::Report(_))));
}
