//! Who is asked: a respondent.

use estrange_bench::{Problem, Question};
use estrange_model::Watch;
use estrange_model::openai::Estimate;

use super::error::ProbeError;
use crate::interview::Traced;

/// A question as a respondent sees it.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// What is asked. Whoever finds the answer out must not look at the one that stands there.
    pub question: &'a Question,
    /// The code, in the view that was chosen.
    pub text: &'a str,
}

/// What a respondent says: a value, or why there is none.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// The value as it was written, or the problem, and that in detail.
    pub value: Result<String, (Problem, String)>,
    /// How it came about.
    pub traced: Traced,
}

impl Said {
    /// What came of an answer.
    pub fn of(value: Result<String, (Problem, String)>) -> Self {
        Self { value, traced: Traced::default() }
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
