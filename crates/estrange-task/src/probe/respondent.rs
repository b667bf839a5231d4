//! Who is asked: a respondent.

use estrange_bench::{Problem, Question};
use estrange_model::Watch;
use estrange_model::openai::Estimate;

use super::error::ProbeError;
use crate::interview::Traced;

/// A question as a respondent sees it.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// What is asked. Whoever finds the answer out must not look at the one that stands there, nor at what is right.
    pub question: &'a Question,
    /// The code, in the view that was chosen.
    pub text: &'a str,
    /// What is right, for who knows all: as the question's answer is written, or a text by which the function is found.
    pub right: &'a str,
}

/// Something, or why it is not there, and that in detail.
pub type OrProblem<T> = Result<T, (Problem, String)>;

/// What a respondent replies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// As a language model writes: whatever it likes, and the answer as it was told to give it.
    Written(String),
    /// The answer alone.
    Answer(String),
}

/// What a respondent says: its reply, or why there is none.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// The reply, or the problem, and that in detail.
    pub reply: OrProblem<Reply>,
    /// How it came about.
    pub traced: Traced,
}

impl Said {
    /// A reply of which nothing else is known.
    pub fn of(reply: OrProblem<Reply>) -> Self {
        Self { reply, traced: Traced::default() }
    }
}

/// What says what code does.
pub trait Respondent: Sync {
    /// What a run records of it: its name and everything that its answers depend on besides what is shown.
    fn card(&self) -> serde_json::Value;

    /// What it answers to each question, in their order: once, or as often as it was told to. An error means that nothing
    /// more can be asked; whatever is about one question alone is a problem in its answer.
    fn answer(&self, shown: &[Shown<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Said>>, ProbeError>;

    /// What a server will have to be asked, less what was answered before; nothing where nothing is paid for.
    fn estimate(&self, _: &[Shown<'_>]) -> Result<Option<Estimate>, ProbeError> {
        Ok(None)
    }
}
