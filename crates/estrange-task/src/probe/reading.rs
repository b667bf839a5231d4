//! What replies mean: a value, or the function that is found by them.

use estrange_bench::{Problem, Question};

use super::catalogue::{Catalogue, Found};
use super::error::ProbeError;
use super::reply;
use super::respondent::{OrProblem, Reply, Said};
use super::value::in_quotes;

/// How replies are read.
pub(super) enum Reading {
    /// They give a value.
    Values,
    /// They say what a function does, and mean the one that is found by that.
    Functions(Catalogue),
}

/// What a reply means.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Meant {
    /// The value as it was written, or the problem, and that in detail.
    pub value: OrProblem<String>,
    /// Where the right function stands, of a summary.
    pub rank: Option<u32>,
}

impl Reading {
    /// What is right of a question, for who knows all.
    pub fn right<'r>(&'r self, question: &'r Question) -> &'r str {
        match self {
            Self::Values => &question.answer,
            Self::Functions(catalogue) => catalogue.text(&question.pair).unwrap_or_default(),
        }
    }

    /// What is said about a question, each time it was asked, means.
    pub fn meant(&self, asked: &[(&Question, Vec<Said>)]) -> Result<Vec<Vec<Meant>>, ProbeError> {
        match self {
            Self::Values => Ok(asked.iter().map(|(_, said)| said.iter().map(value).collect()).collect()),
            Self::Functions(catalogue) => found(catalogue, asked),
        }
    }
}

fn value(said: &Said) -> Meant {
    Meant { value: said.reply.as_ref().map_err(Clone::clone).and_then(reply::value), rank: None }
}

/// The functions that are found by what was said.
fn found(catalogue: &Catalogue, asked: &[(&Question, Vec<Said>)]) -> Result<Vec<Vec<Meant>>, ProbeError> {
    let words = |said: &Said| said.reply.as_ref().map_err(Clone::clone).and_then(words_of);
    let summaries: Vec<(&str, OrProblem<String>)> = asked
        .iter()
        .flat_map(|(question, said)| said.iter().map(|said| (question.pair.as_str(), words(said))))
        .collect();
    let whole: Vec<(&str, &str)> =
        summaries.iter().filter_map(|(pair, words)| Some((*pair, words.as_deref().ok()?))).collect();
    let mut found = catalogue.found(&whole)?.into_iter();
    let mut meant = summaries.iter().map(|(_, words)| match words {
        Ok(words) => found.next().map_or_else(|| none(words), |found| by(found, words)),
        Err(problem) => Meant { value: Err(problem.clone()), rank: None },
    });
    Ok(asked.iter().map(|(_, said)| meant.by_ref().take(said.len()).collect()).collect())
}

fn words_of(reply: &Reply) -> OrProblem<String> {
    reply::words(reply).map(str::to_owned)
}

fn by(found: Found, words: &str) -> Meant {
    Meant { value: found.first.map_or_else(|| none(words).value, |name| Ok(in_quotes(&name))), rank: found.rank }
}

/// Nothing is found, or several alike.
fn none(words: &str) -> Meant {
    Meant { value: Err((Problem::NothingFound, reply::end_of(words))), rank: None }
}
