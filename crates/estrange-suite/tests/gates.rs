//! Coverage, stubs and gates on small projects.

#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeSet;

use common::{CTESTED, MADE, replace};
use estrange_suite::{Place, Runs, Shut, Suite, Tests};
use estrange_words::Language;

const RUNS: Runs = Runs { passing: 2, other: 2 };

fn place(project: &str, path: &str, function: &str) -> Place {
    let range = replace(project, path, function, "").range;
    Place { path: path.to_owned(), range, name: function.to_owned(), language: Language::C }
}

fn shut(suite: &Suite, project: &str, path: &str, function: &str) -> Option<Shut> {
    let gated = suite.gates(&place(project, path, function), &Tests::All, RUNS).unwrap();
    assert_eq!(gated.stub.is_some(), gated.shut != Some(Shut::NoStub), "{gated:?}");
    gated.shut
}

#[test]
fn functions_that_the_tests_notice_pass_both_gates() {
    for function in ["tally_sum", "tally_range", "tally_word"] {
        assert_eq!(shut(&MADE, "made", "tally.c", function), None, "{function}");
    }
    assert_eq!(shut(&MADE, "made", "clear.c", "tally_clear"), None);
    assert_eq!(shut(&MADE, "made", "clear.c", "tally_unused"), Some(Shut::Unnoticed));
}

#[test]
fn a_function_without_tests_is_no_task() {
    let none = Tests::Named(BTreeSet::new());
    let gated = MADE.gates(&place("made", "tally.c", "tally_sum"), &none, RUNS).unwrap();
    assert_eq!(gated.shut, Some(Shut::NoTests));
}

#[test]
fn coverage_says_which_tests_execute_a_function() {
    let coverage = CTESTED.coverage().unwrap();
    let tests = |path: &str, line| CTESTED.tests_of(path, "", line, Some(&coverage));
    let named = |names: &[&str]| Tests::Named(names.iter().map(|name| (*name).to_owned()).collect());
    assert_eq!(tests("tally.c", 5), named(&["sum"]));
    assert_eq!(tests("tally.c", 25), named(&["word"]));
    assert_eq!(tests("clear.c", 4), named(&["clear"]));
    assert_eq!(tests("clear.c", 11), named(&[]), "nothing executes it");
    // What reports in one go is executed by all its tests.
    let coverage = MADE.coverage().unwrap();
    assert_eq!(coverage.tests_of("tally.c", 5), Tests::All);
    assert_eq!(coverage.tests_of("clear.c", 11), named(&[]));
}
