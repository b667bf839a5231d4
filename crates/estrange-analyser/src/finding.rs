//! What an analyser says of a unit.

use estrange_words::words;
use serde::{Deserialize, Serialize};

words! {
    /// How grave a finding is to the analyser. The words are those of SARIF.
    pub enum Level {
        /// It is a bug.
        Error = "error",
        /// It may be a bug.
        Warning = "warning",
        /// It is no bug by itself, or hardly one.
        Note = "note",
    }
}

/// One thing that an analyser reports.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Finding {
    /// Who says it: the word of a built-in analyser, or the name that a program gives itself.
    pub tool: String,
    /// By which of its rules; empty where it does not say.
    pub rule: String,
    /// The numbers of its weaknesses in the Common Weakness Enumeration, the most fitting one first; none where the
    /// analyser does not say.
    pub classes: Vec<u32>,
    /// How grave that is.
    pub level: Level,
    /// The line of the unit, counted from 1; none where the place is not known or lies in a header.
    pub line: Option<u32>,
    /// What it says, to people.
    pub message: String,
}

impl Finding {
    /// The weakness that fits best.
    pub fn class(&self) -> Option<u32> {
        self.classes.first().copied()
    }
}

/// The findings in the order of their lines, each once.
pub fn in_order(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by(|one, other| {
        (one.line, &one.rule, &one.message, one.level).cmp(&(other.line, &other.rule, &other.message, other.level))
    });
    findings.dedup();
    findings
}
