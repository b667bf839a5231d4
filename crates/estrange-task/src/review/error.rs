//! Why nothing can be reviewed.

use std::borrow::Cow;
use std::path::PathBuf;

use estrange_bench::BenchError;
use estrange_words::Hint;

/// Why there is no sample, or no agreement.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReviewError {
    /// The run cannot be read.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// The run is of another task.
    #[error("{} is a run of the task `{task}`: nothing was written in it", .run.display())]
    OtherTask {
        /// The run.
        run: PathBuf,
        /// Its task.
        task: String,
    },
    /// The run has no answers.
    #[error("{} has no answers", .0.display())]
    NoAnswers(PathBuf),
    /// The file cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file lacks a column.
    #[error("{} has no column `{column}`", .path.display())]
    NoColumn {
        /// The file.
        path: PathBuf,
        /// The column.
        column: &'static str,
    },
    /// A row is not what is expected.
    #[error("{}, row {row}: {detail}", .path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// The row, counted from 1 with the names of the columns.
        row: usize,
        /// What is wrong.
        detail: String,
    },
    /// Nobody has reviewed anything.
    #[error("no answer in {} has a label in the column `reviewed_outcome`", .0.display())]
    NotReviewed(PathBuf),
    /// What was found cannot be summed up.
    #[error("the labels cannot be summed up")]
    Statistics(#[from] estrange_stats::StatisticsError),
}

impl Hint for ReviewError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::Bench(error) => return error.hint(),
            Self::OtherTask { .. } => "samples are drawn from runs of `estrange generate`",
            Self::NoColumn { .. } => {
                "`estrange review RUN --sample FILE` writes a file with all of them; save it with commas between cells"
            }
            Self::Row { .. } | Self::NotReviewed(_) => {
                "a label is one of our words, such as passed, wrong-result, does-not-compile; `estrange explain` lists them"
            }
            Self::NoAnswers(_) | Self::Unreadable { .. } | Self::Statistics(_) => return None,
        };
        Some(hint.into())
    }
}
