//! Writing a function in a world that may have been made strange: the task of generation and completion.
//!
//! A model is given a description, the declaration (or a part of the body) and what the function may use, all in the names and
//! shapes of one setting. What it writes is put in the function's place, and graded: beside the function on inputs that were
//! found for it, by its project's own tests, or, of a problem that stands by itself, by the problem's tests. An item is a
//! function in a setting, or a problem with a number of solved examples.
//!
//! | what | where |
//! |---|---|
//! | which functions are asked for, and what is not asked for and why | [`Assignments`] |
//! | what a model is given besides the description: types, macros, variables, functions, and similar ones that do not matter | [`context`], [`distract`] |
//! | where a body is cut | [`cut`] |
//! | what is asked | [`Template`] |
//! | who is asked | [`Author`], [`Choice`] |
//! | who grades | [`Judge`], [`Ground`]: `estrange-grade`'s `Functions`, [`Projects`], `estrange-problem`'s `Grader` |
//! | until when models were trained | [`Cutoffs`] |
//! | what is kept of each item, and what became of each answer | [`Assignment`], [`Mark`] |
//! | what all that is worth, over items | [`mod@sums`] |
//! | runs side by side | [`document()`] |

mod assignments;
mod author;
mod changed;
mod choice;
pub mod context;
pub mod cut;
mod cutoff;
pub mod distract;
mod document;
mod entry;
mod error;
mod function;
mod generation;
mod judge;
mod judged;
mod problem;
mod project;
mod recorded;
mod records;
mod seen;
pub mod sums;
mod tally;
mod template;
mod trivial;
mod world;

pub use assignments::{Assignments, Chosen, ContextOptions, Lost};
pub use author::{Asked, Author, Precomputed, Wanted, Wrote};
pub use choice::{Choice, ChoiceError};
pub use cutoff::{Cutoff, CutoffError, Cutoffs};
pub use document::{DocumentOptions, document};
pub use entry::Entry;
pub use error::GenerateError;
pub use generation::Generation;
pub use judge::{Fit, Ground, Judge, Unfit, Verdict};
pub use judged::{Judged, judged};
pub use problem::{ChosenProblems, PROBLEM_PROMPT, ProblemTemplate};
pub use project::{Project, Projects};
pub use recorded::Recorded;
pub use records::{Assignment, Mark};
pub use tally::Tally;
pub use template::{COMPLETION_PROMPT, GENERATION_PROMPT, Template};
pub use trivial::{Empty, Gold, Mutant};
pub use world::{Original, World};

pub use crate::given::PrecomputedError;
pub use crate::interview::AskedOptions;
pub use crate::places::TemplateError;

/// What the task is called.
pub const NAME: &str = "generation";

/// The setting in which functions are as they were written: what the others are compared with.
pub const STANDARD: &str = "standard";
