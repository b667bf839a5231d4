//! Why a search cannot be done or shown.

use std::borrow::Cow;
use std::path::PathBuf;

use estrange_bench::BenchError;
use estrange_words::Hint;

/// Why there is nothing to search, or nothing to show.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The bench cannot be read.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// It has no queries.
    #[error("the bench has no queries")]
    NoQueries,
    /// It does not have a setting that was asked for.
    #[error("the bench has no setting `{setting}`; it has {}", .known.join(", "))]
    NoSetting {
        /// The setting.
        setting: String,
        /// Those that it has.
        known: Vec<String>,
    },
    /// There is no corpus with a query.
    #[error("no corpus has a query and a document that is right for it")]
    Empty,
    /// A run is of another task.
    #[error("{} is a run of the task `{task}`, not of a search", .run.display())]
    OtherTask {
        /// The run.
        run: PathBuf,
        /// Its task.
        task: String,
    },
    /// A run is on another bench, or on one that has changed.
    #[error("the bench has changed since it was searched")]
    OtherBench,
    /// A run speaks of something that neither the bench nor its own list of what was asked has.
    #[error("{} speaks of {what}, which was not asked", .run.display())]
    Foreign {
        /// The run.
        run: PathBuf,
        /// What it speaks of.
        what: String,
    },
    /// A model failed.
    #[error(transparent)]
    Model(#[from] estrange_model::ModelError),
    /// Rankings or judgements do not fit.
    #[error(transparent)]
    Ranking(#[from] estrange_stats::retrieval::RetrievalError),
    /// Scores cannot be summed up.
    #[error("the scores cannot be summed up")]
    Statistics(#[from] estrange_stats::StatisticsError),
}

impl Hint for SearchError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::Bench(error) => return error.hint(),
            Self::NoQueries => "`estrange queries BENCH` writes some, out of comments if no model is named",
            Self::NoSetting { .. } => "build the bench with --settings that have it",
            Self::Empty => "name other groups or settings, or more queries",
            Self::OtherBench => "search it again, or name the bench that was searched with --bench",
            Self::Foreign { .. } => "search again with the same --out, or copy the run again from where it came",
            Self::Model(error) => return error.hint(),
            Self::OtherTask { .. } | Self::Ranking(_) | Self::Statistics(_) => return None,
        };
        Some(hint.into())
    }
}
