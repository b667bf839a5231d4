//! What came of an answer.

use estrange_words::{End, Outcome};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::words::Verdict;

/// What an answer to a problem is worth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Graded {
    /// Passed, or what the first case that did not pass came to.
    pub verdict: Verdict,
    /// What the compiler or the linker said: errors, or warnings of an answer that it accepted.
    pub messages: String,
    /// Whether the answer was compiled with nothing before it, since it has declarations of its own in place of the problem's.
    pub is_by_itself: bool,
    /// What each case came to, in order; nothing where none was run.
    pub cases: Vec<GradedCase>,
}

/// What a case came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GradedCase {
    /// What it came to.
    pub verdict: Verdict,
    /// What went in, by the names of parameters.
    pub arguments: Json,
    /// What was expected: a result, or an object of what is returned and written.
    pub expected: Json,
    /// What came out; nothing where the function did not return.
    pub got: Option<Json>,
    /// What the sanitizer found or which signal came, as a class.
    pub fault: Option<End>,
    /// What a sanitizer, an assertion or an exception said, or how the process ended.
    pub said: String,
}

impl Graded {
    /// What a refusal by the compiler or the linker comes to.
    pub(crate) fn refused(verdict: Verdict, messages: String, is_by_itself: bool) -> Self {
        Self { verdict, messages, is_by_itself, cases: Vec::new() }
    }

    /// Whether it passed.
    pub fn is_passed(&self) -> bool {
        self.verdict == Verdict::Passed
    }

    /// The same in the words that every way of grading shares, which are fewer.
    pub fn outcome(&self) -> Outcome {
        match self.verdict {
            Verdict::Passed => Outcome::Passed,
            Verdict::DoesNotCompile => Outcome::DoesNotCompile,
            Verdict::DoesNotLink => Outcome::DoesNotLink,
            Verdict::WrongResult | Verdict::OverOutput => Outcome::WrongResult,
            Verdict::Crashed | Verdict::OverMemory => Outcome::Fault,
            Verdict::Threw | Verdict::EndedEarly => Outcome::EndedEarly,
            Verdict::TimedOut => Outcome::Endless,
            Verdict::NotRun => Outcome::NotRun,
        }
    }

    /// How many cases passed.
    pub fn passed(&self) -> usize {
        self.cases.iter().filter(|case| case.verdict == Verdict::Passed).count()
    }

    /// The first case that did not pass.
    pub fn first_failure(&self) -> Option<&GradedCase> {
        self.cases.iter().find(|case| case.verdict != Verdict::Passed)
    }
}
