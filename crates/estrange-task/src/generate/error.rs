//! Why nothing can be written or shown.

use std::borrow::Cow;
use std::path::PathBuf;

use estrange_bench::BenchError;
use estrange_grade::GradeError;
use estrange_words::Hint;

use crate::given::PrecomputedError;

/// Why there is nothing to write, or nothing to show.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The bench or the run cannot be read.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// No function is left.
    #[error("no function of the bench can be asked for: {}", said(.lost))]
    NothingToAsk {
        /// Why functions are left out, and how many.
        lost: Vec<(String, usize)>,
    },
    /// The bench has no variants in a setting.
    #[error("the bench has no functions in the setting `{setting}`; it has {}", .known.join(", "))]
    NoSetting {
        /// The setting.
        setting: String,
        /// Those that it has.
        known: Vec<String>,
    },
    /// A run is of another task.
    #[error("{} is a run of the task `{task}`, not of generation", .run.display())]
    OtherTask {
        /// The run.
        run: PathBuf,
        /// Its task.
        task: String,
    },
    /// A file of replies cannot be used.
    #[error(transparent)]
    Precomputed(#[from] PrecomputedError),
    /// Answers cannot be graded.
    #[error(transparent)]
    Grade(#[from] GradeError),
    /// A project cannot grade.
    #[error(transparent)]
    Project(#[from] estrange_suite::GradeError),
    /// Answers to problems cannot be graded.
    #[error(transparent)]
    Problem(#[from] estrange_problem::GradeError),
    /// What was found cannot be kept.
    #[error(transparent)]
    Store(#[from] estrange_store::StoreError),
    /// A model failed.
    #[error(transparent)]
    Model(#[from] estrange_model::ModelError),
    /// What was found cannot be summed up.
    #[error("the grades cannot be summed up")]
    Statistics(#[from] estrange_stats::StatisticsError),
}

fn said(lost: &[(String, usize)]) -> String {
    match lost.is_empty() {
        true => "it has none".to_owned(),
        false => lost.iter().map(|(why, count)| format!("{count} {why}")).collect::<Vec<_>>().join(", "),
    }
}

impl Hint for GenerateError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::Bench(error) => return error.hint(),
            Self::Precomputed(error) => return error.hint(),
            Self::Grade(error) => return error.hint(),
            Self::Model(error) => return error.hint(),
            Self::Project(error) => return error.hint(),
            Self::Problem(error) => return error.hint(),
            Self::Store(_) => "name another folder with --cache DIR",
            Self::NothingToAsk { .. } => {
                "functions need a linked unit and a description: `estrange queries BENCH` makes some; `estrange explain WORD` \
                 says what each reason means"
            }
            Self::NoSetting { .. } => "`estrange build … --settings` makes settings",
            Self::OtherTask { .. } | Self::Statistics(_) => return None,
        };
        Some(hint.into())
    }
}
