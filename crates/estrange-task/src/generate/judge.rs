//! Who says what replies are worth, and which functions can be asked for at all.

use estrange_bench::Function;
use estrange_grade::Graded;

use super::entry::Entry;
use super::error::GenerateError;
use super::records::Assignment;
use super::world::{Original, World};

/// What became of a reply.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The code that was taken from it.
    pub code: Option<String>,
    /// What that is worth.
    pub graded: Graded,
}

/// Grades replies to items that are about an `S` each.
pub trait Judge<S>: Sync {
    /// The way of grading, in a word.
    fn word(&self) -> &'static str;

    /// What becomes of replies to an item, in their order. An error means that nothing can be graded; whatever is about one
    /// reply alone is its verdict.
    fn graded(&self, entry: &Entry<S>, replies: &[&str]) -> Result<Vec<Verdict>, GenerateError>;
}

/// Why a function is not asked for, in a word.
pub type Unfit = &'static str;

/// What is known of a function that can be asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Fit {
    /// On how many inputs or by how many tests answers are tried.
    pub inputs: u32,
    /// The share of planted mistakes that these show, where that was found out.
    pub kill_rate: Option<f64>,
    /// The function with a small mistake each.
    pub wrong: Vec<String>,
}

/// Grades functions of a bench, and says beforehand which of them it can grade.
pub trait Ground: Judge<World> {
    /// Whether a function must have a unit in which it can run. Otherwise the smallest one in which it compiles is shown.
    fn runs_units(&self) -> bool;

    /// Whether answers can be told apart that stand in the place of this function.
    fn fits(&self, function: &Function, original: &Original) -> Result<Result<Fit, Unfit>, GenerateError>;

    /// Whether the function passes in a setting, where that is not known without trying.
    fn fits_in(&self, _: &Assignment, _: &World) -> Result<Result<(), Unfit>, GenerateError> {
        Ok(Ok(()))
    }
}
