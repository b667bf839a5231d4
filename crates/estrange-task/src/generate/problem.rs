//! Problem mode: standalone problems with tests of their own, asked with no solved example or with some.

use std::path::Path;
use std::sync::Arc;

use estrange_bench::{Group, Outcome, Split, Writing};
use estrange_diagnosis::{diagnose, read};
use estrange_grade::answer::{self, Answer};
use estrange_grade::{Graded, Wanted};
use estrange_problem::{Grader, Problem, Set, Tests};
use estrange_text::facts::facts;
use rayon::prelude::*;

use super::assignments::{Assignments, Lost, drawn};
use super::changed::Stages;
use super::entry::Entry;
use super::error::GenerateError;
use super::function::{code, verdicts};
use super::judge::{Judge, Verdict};
use super::records::Assignment;
use crate::places::{LANGUAGE, Needed, TemplateError, filled, opened};

/// What is asked of a problem unless another file is named.
pub const PROBLEM_PROMPT: &str = include_str!("problem.txt");

const STATEMENT: &str = "{{statement}}";
const DECLARATION: &str = "{{declaration}}";
const CONTEXT: &str = "{{context}}";
const EXAMPLES: &str = "{{examples}}";

const NEEDS: [Needed; 2] = [
    Needed {
        what: "the problem",
        places: &[STATEMENT],
        hint: "write {{statement}} where what is asked is to stand, and {{examples}} for solved examples",
    },
    Needed {
        what: "the declaration",
        places: &[DECLARATION],
        hint: "write {{declaration}} where the function's declaration is to stand",
    },
];

/// Which problems are asked, and how.
#[derive(Debug, Clone)]
pub struct ChosenProblems {
    /// How many solved examples are shown: each number is a setting of its own.
    pub shots: Vec<u16>,
    /// At most so many problems, drawn by the seed.
    pub limit: Option<usize>,
    /// What problems are drawn by.
    pub seed: u64,
}

/// A prompt for problems, with places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemTemplate {
    text: String,
}

impl Default for ProblemTemplate {
    fn default() -> Self {
        Self { text: PROBLEM_PROMPT.to_owned() }
    }
}

impl ProblemTemplate {
    /// The template in a file.
    pub fn open(path: &Path) -> Result<Self, TemplateError> {
        opened(path, &NEEDS).map(|text| Self { text })
    }

    /// The template itself.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn filled(&self, problem: &Problem, examples: &[&Problem]) -> String {
        let solved = |example: &&Problem| {
            let solution = example.solution.as_deref().unwrap_or_default();
            let (statement, signature) = (example.statement.trim(), &example.signature);
            format!(
                "A problem:\n{statement}\n\nThe function's declaration:\n```\n{signature};\n```\n\nThe answer:\n```\n{}\n```\n\n",
                solution.trim()
            )
        };
        let places = [
            (STATEMENT, problem.statement.trim().to_owned()),
            (DECLARATION, format!("{};", problem.signature)),
            (CONTEXT, problem.context.trim().to_owned()),
            (EXAMPLES, examples.iter().map(solved).collect()),
            (LANGUAGE, problem.language.title().to_owned()),
        ];
        filled(&self.text, &places)
    }
}

impl Assignments<Arc<Problem>> {
    /// Asks for the problems of a set.
    pub fn of_problems(set: &Set, chosen: &ChosenProblems, template: &ProblemTemplate) -> Result<Self, GenerateError> {
        let mut lost = Lost::new();
        for loss in &set.losses {
            *lost.entry(loss.defect.as_str()).or_default() += 1;
        }
        let mut problems: Vec<Arc<Problem>> = set.problems.iter().cloned().map(Arc::new).collect();
        if let Some(limit) = chosen.limit.filter(|limit| *limit < problems.len()) {
            problems.sort_by_key(|problem| drawn(chosen.seed, &problem.name));
            problems.truncate(limit);
        }
        let mut entries = Vec::new();
        for shots in &chosen.shots {
            for problem in &problems {
                let examples = examples(set, problem, usize::from(*shots));
                let prompt = template.filled(problem, &examples);
                entries.push(Entry {
                    assignment: assignment(problem, *shots),
                    prompt,
                    cut: None,
                    wrong: problem.wrong.clone(),
                    subject: Arc::clone(problem),
                });
            }
        }
        Self::of(entries, (lost, Stages::default()), Writing::Generation)
    }
}

/// What an item with so many examples is called.
fn setting(shots: u16) -> String {
    format!("{shots}-shot")
}

/// The solved examples that are shown with a problem: those in its language first.
fn examples<'s>(set: &'s Set, problem: &Problem, shots: usize) -> Vec<&'s Problem> {
    let mut examples: Vec<&Problem> = set.examples.iter().filter(|example| example.solution.is_some()).collect();
    examples.sort_by_key(|example| example.language != problem.language);
    examples.truncate(shots);
    examples
}

fn assignment(problem: &Problem, shots: u16) -> Assignment {
    let text = problem.solution.clone().unwrap_or_default();
    let tests = match &problem.tests {
        Tests::Cases(cases) => cases.cases.len(),
        Tests::Program(_) => 1,
    };
    Assignment {
        item: problem.name.clone(),
        setting: setting(shots),
        seed: 0,
        asks: Writing::Generation,
        name: problem.function.clone(),
        source: problem.origin.clone(),
        path: problem.name.clone(),
        language: problem.language,
        group: Group::One,
        split: Split::Eval,
        licence_class: problem.licence.clone().unwrap_or_else(|| "unknown".to_owned()),
        loc: u32::try_from(facts(&text, problem.language).code_lines).unwrap_or(u32::MAX),
        surface_distance: 0.0,
        inputs: u32::try_from(tests).unwrap_or(u32::MAX),
        kill_rate: None,
        date: problem.date.clone(),
        text,
    }
}

impl Judge<Arc<Problem>> for Grader {
    fn word(&self) -> &'static str {
        "problem"
    }

    fn graded(&self, entry: &Entry<Arc<Problem>>, replies: &[&str]) -> Result<Vec<Verdict>, GenerateError> {
        let problem = &*entry.subject;
        let wanted = Wanted { name: &problem.function, unit: &problem.context, given: None };
        let read: Vec<Result<Answer, Outcome>> =
            replies.iter().map(|reply| answer::read(reply, wanted).map_err(|none| none.outcome())).collect();
        let answers: Vec<&Answer> = read.iter().filter_map(|read| read.as_ref().ok()).collect();
        let grade = |answer: &&Answer| Ok(said(&self.grade(problem, &code(answer))?));
        let graded = answers.par_iter().map(grade).collect::<Result<_, GenerateError>>()?;
        Ok(verdicts(read, graded))
    }
}

/// The same in the words that every way of grading shares.
fn said(graded: &estrange_problem::Graded) -> Graded {
    let outcome = graded.outcome();
    let failure = graded.first_failure();
    let detail = match (outcome, failure) {
        (Outcome::Passed, _) => None,
        (_, Some(case)) => {
            let got = case.got.as_ref().map_or_else(|| "nothing".to_owned(), ToString::to_string);
            let told = format!("with {}: expected {}, got {got}\n{}", case.arguments, case.expected, case.said);
            Some(told.trim_end().to_owned())
        }
        (_, None) => Some(graded.messages.clone()),
    };
    let mistake = (!outcome.is_built()).then(|| diagnose(&read(&graded.messages)).map(|found| found.mistake)).flatten();
    let end = failure.and_then(|case| case.fault);
    Graded { end, mistakes: [mistake, None], ..Graded::plain(outcome, detail) }
}
