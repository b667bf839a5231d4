//! Why a detection cannot be done or shown.

use std::borrow::Cow;
use std::path::PathBuf;

use estrange_analyser::AnalyserError;
use estrange_bench::{BenchError, Label};
use estrange_words::Hint;

use crate::given::PrecomputedError;

/// Why there is nothing to detect, or nothing to show.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DetectError {
    /// The bench or the run cannot be read.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// The bench has no pairs.
    #[error("the bench has no pairs of functions with and without a bug")]
    NoPairs,
    /// It has none with the label that was asked for.
    #[error("none of the {pairs} pairs of the bench is {label}")]
    NoLabel {
        /// The label.
        label: Label,
        /// How many pairs there are.
        pairs: usize,
    },
    /// Its pairs have no rung in a setting that was asked for.
    #[error("no pair that is {label} has a rung in the setting `{setting}`; there is {}", said(.known))]
    NoRungs {
        /// The setting.
        setting: String,
        /// The label.
        label: Label,
        /// The settings that there are.
        known: Vec<String>,
    },
    /// What mends the pairs is not in what is shown of them.
    #[error("of {} pairs, both sides look the same in this view: what mends them is elsewhere in the file", .pairs)]
    AllAlike {
        /// How many pairs.
        pairs: usize,
    },
    /// A rung says something that cannot be.
    #[error("the rung of the pair {pair} in {setting}, seed {seed}: {detail}")]
    Rung {
        /// The pair.
        pair: String,
        /// The setting.
        setting: String,
        /// The seed.
        seed: u32,
        /// What is wrong.
        detail: String,
    },
    /// A run is of another task.
    #[error("{} is a run of the task `{task}`, not of a detection", .run.display())]
    OtherTask {
        /// The run.
        run: PathBuf,
        /// Its task.
        task: String,
    },
    /// A run has an opinion of something that it was not asked, or the same one twice.
    #[error("{} speaks of {what}, which was not asked", .run.display())]
    Foreign {
        /// The run.
        run: PathBuf,
        /// What it speaks of.
        what: String,
    },
    /// The detector `length` needs texts to compare with.
    #[error("`length` compares with texts at {standard}, and the bench has none", standard = super::STANDARD)]
    NoStandard,
    /// A file of verdicts cannot be used.
    #[error(transparent)]
    Precomputed(#[from] PrecomputedError),
    /// An analyser cannot be used.
    #[error(transparent)]
    Analyser(#[from] AnalyserError),
    /// A model failed.
    #[error(transparent)]
    Model(#[from] estrange_model::ModelError),
    /// What was found cannot be summed up.
    #[error("the verdicts cannot be summed up")]
    Statistics(#[from] estrange_stats::StatisticsError),
}

fn said(known: &[String]) -> String {
    if known.is_empty() { "no rung at all".to_owned() } else { known.join(", ") }
}

impl Hint for DetectError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::Bench(error) => return error.hint(),
            Self::Precomputed(error) => return error.hint(),
            Self::Analyser(error) => return error.hint(),
            Self::Model(error) => return error.hint(),
            Self::NoPairs => "`estrange pairs SOURCE --out PAIRS` makes a bench that has some",
            Self::NoLabel { label: Label::CrashConfirmed, .. } => "--label reasoned takes those that nothing ran of",
            Self::NoLabel { label: Label::Reasoned, .. } => "--label crash-confirmed takes those that were run",
            Self::NoRungs { .. } => "--setting names settings; `estrange pairs` makes those that it is asked for",
            Self::AllAlike { .. } => "--view linked-unit shows all of it",
            Self::NoStandard => "make the pairs again with L0 among their settings",
            Self::Rung { .. } => "make the pairs again",
            Self::Foreign { .. } => "run it again with the same --out, or copy the run again from where it came",
            Self::OtherTask { .. } | Self::Statistics(_) => return None,
        };
        Some(hint.into())
    }
}
