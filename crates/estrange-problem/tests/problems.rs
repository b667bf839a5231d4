//! The problems of this repository: what they are, and that their tests tell right answers from wrong ones.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use estrange_problem::{Grader, Problem, Set, Tests, Verdict};
use estrange_sandbox::Workshop;
use estrange_words::Language;

fn set() -> Set {
    let set = Set::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems")).unwrap();
    assert_eq!(set.losses, []);
    set
}

#[test]
fn there_are_enough_problems_with_enough_cases() {
    let set = set();
    let of = |language| set.problems.iter().filter(|problem| problem.language == language).count();
    assert!(set.problems.len() >= 24 && of(Language::C) >= 12 && of(Language::Cpp) >= 8, "{}", set.problems.len());
    assert!((2..=3).contains(&set.examples.len()));
    for problem in &set.problems {
        let Tests::Cases(cases) = &problem.tests else { panic!("{}", problem.name) };
        assert!(cases.cases.len() >= 10, "{}", problem.name);
        assert!(problem.solution.is_some() && !problem.wrong.is_empty() && problem.date.is_some(), "{}", problem.name);
        assert!(
            problem.licence.is_some() && problem.difficulty.is_some() && !problem.tags.is_empty(),
            "{}",
            problem.name
        );
    }
}

#[test]
fn solutions_pass_and_wrong_answers_and_empty_ones_do_not() {
    let set = set();
    let grader = Grader::new(&Workshop::temporary().unwrap()).unwrap();
    let problems: Vec<&Problem> = set.problems.iter().chain(&set.examples).collect();
    let mut answers = Vec::new();
    for problem in &problems {
        answers.push((*problem, problem.solution.as_deref().unwrap()));
        answers.push((*problem, ""));
        answers.extend(problem.wrong.iter().map(|wrong| (*problem, wrong.as_str())));
    }
    for ((problem, text), graded) in answers.iter().zip(grader.grade_all(&answers, 2)) {
        let graded = graded.unwrap();
        let name = &problem.name;
        if text.is_empty() {
            assert_eq!(graded.verdict, Verdict::DoesNotLink, "{name}: {graded:?}");
            assert!(graded.messages.contains(&problem.signature), "{name}: {}", graded.messages);
        } else if Some(*text) == problem.solution.as_deref() {
            assert_eq!(graded.verdict, Verdict::Passed, "{name}: {:?} {}", graded.first_failure(), graded.messages);
            assert_eq!(graded.messages, "", "{name}");
        } else {
            assert!(matches!(graded.verdict, Verdict::WrongResult | Verdict::Crashed), "{name}: {graded:?}");
            assert!(graded.passed() > 0, "{name}: a wrong answer that is typical gets something right: {graded:?}");
        }
    }
}
