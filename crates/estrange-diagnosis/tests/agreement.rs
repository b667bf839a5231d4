//! What is said of code with one typical mistake each is the mistake that a person named, whichever compiler refuses it.
//!
//! The pages are `snippets/*.md` and `held-out/*.md`: each is called as its label, a mistake, and holds code that people wrote
//! with this mistake in it; `strict` stands for flags that make errors of warnings. The code uses the headers in `project`. Labels
//! say what is wrong with the text, not what a compiler says. What is held out was written when the rules were finished; their
//! first agreement was 96.6% with gcc and 95.8% with clang. What is in `wordings` is short, and meets rare messages.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "agreement/compile.rs"]
mod compile;
#[path = "agreement/page.rs"]
mod page;

use std::collections::HashSet;

use compile::{Answer, Answers, COMPILERS, answers};
use estrange_diagnosis::{Compiler, Diagnosed, Mistake, RULES, Rule, diagnose, read, rule_of};
use page::{Snippet, snippets};

/// The share of snippets of a folder that must be told right, under each compiler.
const WANTED: f64 = 0.95;

fn diagnosed(answer: &Answer) -> Option<Diagnosed> {
    diagnose(&read(&answer.said))
}

/// Prints what is told wrong, and gives the share that is right, by compiler.
fn agreement(title: &str, snippets: &[Snippet], answers: &[Answers]) -> Vec<f64> {
    let shares = COMPILERS.iter().enumerate().map(|(compiler, name)| {
        let mut right = 0;
        for (snippet, answers) in snippets.iter().zip(answers) {
            let found = diagnosed(&answers[compiler]).map(|found| found.mistake);
            if found == Some(snippet.label) {
                right += 1;
            } else {
                let found = found.map_or("nothing", Mistake::as_str);
                println!("{title}, {name}: {snippet} is said to be {found}:\n{}", answers[compiler].shortened());
            }
        }
        let share = f64::from(right) / snippets.len() as f64;
        println!("{title}, {name}: {right} of {}, {:.1}%", snippets.len(), 100.0 * share);
        share
    });
    shares.collect()
}

#[test]
fn what_is_said_is_what_people_said() {
    let folders = ["snippets", "held-out", "wordings"].map(snippets);
    let all: Vec<Snippet> = folders.concat();
    let all_answers = answers(&all);
    let (written, rest) = all_answers.split_at(folders[0].len());
    let (held_out, wordings) = rest.split_at(folders[1].len());
    let mut shares = agreement("snippets", &folders[0], written);
    shares.extend(agreement("held out", &folders[1], held_out));
    shares.extend(agreement("wordings", &folders[2], wordings));
    for (snippet, answers) in all.iter().zip(&all_answers) {
        assert!(answers.iter().all(|answer| !answer.accepted), "{snippet} is accepted");
    }
    assert!(all.len() >= 210 && folders[1].len() * 5 >= all.len(), "{} and {}", folders[0].len(), folders[1].len());
    assert!(shares.iter().all(|&share| share >= WANTED), "{shares:?}");
    dress_changes_nothing(&all, &all_answers);
    every_label_is_there(&folders[0]);
    every_rule_is_met(&all_answers);
}

/// Colours, the language of the quotes and their absence change nothing.
fn dress_changes_nothing(snippets: &[Snippet], answers: &[Answers]) {
    for (snippet, answer) in
        snippets.iter().zip(answers).flat_map(|(snippet, both)| both.iter().map(move |one| (snippet, one)))
    {
        let plain = diagnosed(answer).map(|found| found.mistake);
        let other = Answer { said: answer.dressed(), ..answer.clone() };
        assert_eq!(diagnosed(&other).map(|found| found.mistake), plain, "{snippet}, dressed:\n{}", other.said);
    }
}

fn every_label_is_there(snippets: &[Snippet]) {
    for &mistake in Mistake::ALL.iter().filter(|mistake| **mistake != Mistake::CompilerFailure) {
        let of_it = snippets.iter().filter(|snippet| snippet.label == mistake).count();
        assert!(of_it >= 6, "{mistake}: {of_it}");
    }
}

/// Whether each rule stands for what its compiler really says. What tools say is in `recorded.rs`.
fn every_rule_is_met(answers: &[Answers]) {
    let met = [0, 1].map(|compiler| {
        let said = answers.iter().flat_map(|answers| read(&answers[compiler].said));
        said.filter_map(|one| rule_of(RULES, &one).copied()).collect::<HashSet<Rule>>()
    });
    let is_met = |rule: &Rule| match rule.compiler {
        Compiler::Gcc => met[0].contains(rule),
        Compiler::Clang => met[1].contains(rule),
        Compiler::Both => met.iter().all(|met| met.contains(rule)),
        Compiler::Tool => true,
    };
    let unmet: Vec<&Rule> = RULES.iter().filter(|rule| !is_met(rule)).collect();
    assert!(unmet.is_empty(), "{} of {} rules are not met: {unmet:#?}", unmet.len(), RULES.len());
}
