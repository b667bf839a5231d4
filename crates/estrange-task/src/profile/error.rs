//! Why there is no profile.

use std::path::PathBuf;

use estrange_bench::BenchError;
use estrange_words::Hint;

/// Why there is no profile.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// The bench or a run cannot be read.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// A score is no share.
    #[error("{} says that `{item}` has {value} by {measure}, which is not from 0 to 1", .run.display())]
    NotAShare {
        /// The run.
        run: PathBuf,
        /// The item.
        item: String,
        /// The measure.
        measure: &'static str,
        /// The score.
        value: f64,
    },
    /// What was found cannot be summed up.
    #[error("the profile cannot be summed up")]
    Statistics(#[from] estrange_stats::StatisticsError),
}

impl Hint for ProfileError {
    fn hint(&self) -> Option<std::borrow::Cow<'static, str>> {
        match self {
            Self::Bench(error) => error.hint(),
            Self::NotAShare { .. } => {
                Some("score the run anew: --rescore or --regrade does it without the model".into())
            }
            Self::Statistics(_) => None,
        }
    }
}
