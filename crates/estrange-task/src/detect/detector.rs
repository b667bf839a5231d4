//! Who is asked: a detector.

use estrange_bench::{Problem, Verdict};
use estrange_model::Watch;
use estrange_model::openai::Estimate;
use serde_json::Value;

use super::error::DetectError;
use super::records::Case;
use crate::interview::Traced;

/// A side of a pair as a detector sees it.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// What it is. Whoever decides by the code must not look at it, but for the language: it says which side it is.
    pub case: &'a Case,
    /// The text, in the view that was chosen.
    pub text: &'a str,
    /// What a compiler needs to be told besides the language.
    pub flags: &'a [String],
}

/// What a detector says of what it was shown: a verdict, or why there is none.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Said {
    /// The verdict.
    pub verdict: Option<Verdict>,
    /// The weakness that it names.
    pub cwe: Option<u32>,
    /// The line of the text that it names, counted from 1.
    pub line: Option<u32>,
    /// How sure it says it is.
    pub confidence: Option<f64>,
    /// Why, in its words.
    pub reason: Option<String>,
    /// Why there is no verdict, and that in detail.
    pub problem: Option<(Problem, String)>,
    /// How it came about.
    pub traced: Traced,
}

impl Said {
    /// A verdict and nothing else.
    pub fn plain(verdict: Verdict) -> Self {
        Self { verdict: Some(verdict), ..Self::default() }
    }

    /// No verdict.
    pub fn problem(problem: Problem, detail: impl Into<String>) -> Self {
        Self { problem: Some((problem, detail.into())), ..Self::default() }
    }
}

/// What says whether code has a bug.
pub trait Detector: Sync {
    /// What a run records of it: its name and everything that its verdicts depend on besides what is shown.
    fn card(&self) -> Value;

    /// What it says of each text, in their order: one answer, or as many as it was told to give. An error means that
    /// nothing more can be asked; whatever is about one text alone is a problem in its answer.
    fn detect(&self, shown: &[Shown<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Said>>, DetectError>;

    /// What a server will have to be asked, less what was answered before; nothing where nothing is paid for.
    fn estimate(&self, _: &[Shown<'_>]) -> Result<Option<Estimate>, DetectError> {
        Ok(None)
    }
}
