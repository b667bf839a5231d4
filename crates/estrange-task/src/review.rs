//! Having people review what was written: a sample of a run's answers to be looked at, and how far their labels agree with ours.
//!
//! The sample is stratified by setting and outcome, in proportion, and as large as its margin of error asks for. It is a file of
//! comma-separated values that any spreadsheet opens, with empty columns for whoever reviews. Read back, only the names of
//! answers and these columns count: our labels come from the run.
//!
//! | what | where |
//! |---|---|
//! | which answers are drawn | [`sample`] |
//! | what is read back, and the agreement with it | [`review`] |
//! | comma-separated values with line breaks in them | `sheet` |

mod agreement;
mod drawing;
mod error;
mod sheet;

pub use agreement::{Agreement, Confusion, Review, review};
pub use drawing::{Sample, SampleOptions, Stratum, sample};
pub use error::ReviewError;

use estrange_bench::{Mistake, Run};

use crate::generate::{self, Mark};

/// Refuses a run in which nothing was written.
fn is_written(run: &Run) -> Result<(), ReviewError> {
    if run.facts().task == generate::NAME {
        return Ok(());
    }
    Err(ReviewError::OtherTask { run: run.folder().to_owned(), task: run.facts().task.clone() })
}

/// Why an answer does not compile: as gcc's messages tell it, or as clang's do where gcc's do not.
fn mistake(mark: &Mark) -> Option<Mistake> {
    mark.gcc_mistake.or(mark.clang_mistake)
}

/// What an answer is known by.
type Key = (String, String, u32, u32);

fn key(mark: &Mark) -> Key {
    (mark.item.clone(), mark.setting.clone(), mark.seed, mark.sample)
}
