//! `estrange explain` as its users see it.

#![allow(clippy::unwrap_used)]

mod support;

use support::{json, run, whole};

fn said(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_word_of_each_kind_is_explained() {
    for (word, wanted) in [
        ("L3", "The recipe `encode,flatten,mangle`."),
        ("if-to-ternary", "needs: an `if` and an `else` that both assign to one place or both return"),
        ("riscv64", "RISC-V assembly"),
        ("proved", "alive-tv"),
        ("balance", "The function could have been kept."),
        ("static-collision", "said of: linking"),
        ("double-free", "weakness: CWE-415"),
        ("heap-overflow", "heap-overflow-write, an end"),
        ("weak-inputs", "a reason not to ask"),
        ("unnoticed", "Its tests pass though it does nothing."),
        ("told-apart", "This category is ours."),
        ("implicit-declaration", "category: declaration: function and type declaration errors"),
        ("ndcg@10", "Normalised discounted cumulative gain"),
    ] {
        let text = said(&["explain", word]);
        assert!(text.contains(wanted), "{text}");
    }
}

#[test]
fn a_rewrite_shows_what_it_does_and_what_it_refuses() {
    let text = said(&["explain", "reverse-loop"]);
    let places: Vec<usize> = ["before", "after", "refused", "because"]
        .iter()
        .map(|part| text.find(&format!("\n{part}\n")).unwrap())
        .collect();
    assert!(places.is_sorted(), "{text}");
}

#[test]
fn a_word_of_two_kinds_is_explained_twice() {
    let document = json(&run(&["explain", "symbol", "--json"]));
    let kinds: Vec<&str> =
        document["words"].as_array().unwrap().iter().map(|word| word["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["setting", "rewrite"]);
}

#[test]
fn all_words_are_listed_by_kind() {
    let text = said(&["explain"]);
    for heading in ["Settings", "Rewrites", "Targets", "Tiers", "Stages", "Reasons", "Mistakes", "Measures"] {
        assert!(text.lines().any(|line| line.starts_with(heading)), "{heading}");
    }
    let words = json(&run(&["explain", "--json"]))["words"].as_array().unwrap().len();
    assert!(words > 180, "{words}");
}

#[test]
fn an_unknown_word_gets_the_nearest() {
    let output = run(&["explain", "static-colision"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(whole(&output).contains("there is static-collision"), "{}", whole(&output));
}
