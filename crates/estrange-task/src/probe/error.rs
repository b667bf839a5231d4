//! Why the probe cannot be made or shown.

use std::borrow::Cow;
use std::path::PathBuf;

use estrange_bench::BenchError;
use estrange_words::Hint;

use crate::given::PrecomputedError;

/// Why there is nothing to ask, or nothing to show.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The bench or the run cannot be read.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// No pair has a question.
    #[error("none of the pairs has a question with one answer")]
    NoQuestions,
    /// There is none in a setting that was asked for.
    #[error("there is no question in the setting `{setting}`; there are some in {}", .known.join(", "))]
    NoSetting {
        /// The setting.
        setting: String,
        /// The settings that there are.
        known: Vec<String>,
    },
    /// A question cannot be asked.
    #[error("the question {item} in {setting}, seed {seed}: {detail}")]
    Question {
        /// The question.
        item: String,
        /// The setting.
        setting: String,
        /// The seed.
        seed: u32,
        /// What is wrong.
        detail: String,
    },
    /// A run is of another task.
    #[error("{} is a run of the task `{task}`, not of the probe", .run.display())]
    OtherTask {
        /// The run.
        run: PathBuf,
        /// Its task.
        task: String,
    },
    /// A file of answers cannot be used.
    #[error(transparent)]
    Precomputed(#[from] PrecomputedError),
    /// A model failed.
    #[error(transparent)]
    Model(#[from] estrange_model::ModelError),
    /// What was found cannot be summed up.
    #[error("the answers cannot be summed up")]
    Statistics(#[from] estrange_stats::StatisticsError),
}

impl Hint for ProbeError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::Bench(error) => return error.hint(),
            Self::Precomputed(error) => return error.hint(),
            Self::Model(error) => return error.hint(),
            Self::NoQuestions => "--seed draws other inputs; without --pairs all pairs are tried",
            Self::NoSetting { .. } => "--setting names settings; `estrange pairs` makes those that it is asked for",
            Self::Question { .. } => "make the pairs again",
            Self::OtherTask { .. } | Self::Statistics(_) => return None,
        };
        Some(hint.into())
    }
}
