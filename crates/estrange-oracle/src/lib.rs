//! The oracle: runs a function and its rewrites on the same inputs, and says whether they agree, and what that is worth.
//!
//! An [`Oracle`] prepares a function ([`Oracle::original`]): a harness is made from its types (`planner`, `plan`,
//! `harness`), inputs are searched that reach its branches (`coverage`), and small wrong edits are planted to see how many
//! of them the inputs show (`mutants`, `kills`, `same_code`). Then any number of rewrites are checked against it
//! ([`Prepared::check`]).
//!
//! All that differs from function to function is data, but for a few lines that call it: the harness's runtime
//! (`runtime/*.c`) is compiled once. For C++ there are more such lines, which make objects and look into them
//! (`classes`, `calls`), and a template is run for one type (`instance`). A program loops over all inputs in one
//! process, comes back from what the sanitizers find, and writes down what it saw as a hash per input. It runs in the
//! sandbox and nowhere else. Where two differ, it tells what it saw, and that is read (`reading`) and written as people
//! write it (`paste`, `seen`).
//!
//! What others write in a function's place is graded ([`Reference::grade`], `grade`): on inputs that were kept, nothing is searched.
//!
//! This crate must not know why a rewrite exists, nor what a rewrite is.

mod callee;
mod calls;
mod classes;
mod conditions;
mod copies;
mod coverage;
mod dictionary;
mod edits;
mod engine;
mod examples;
mod execution;
mod exhaustive;
mod families;
mod given;
mod grade;
mod harness;
mod input;
mod instance;
mod keeping;
mod kills;
mod layout;
mod legend;
mod likeness;
mod mended;
mod mutants;
mod named;
mod oracle;
mod outcome;
mod paste;
mod plan;
mod planner;
mod preparation;
mod program;
mod reading;
mod record;
mod renaming;
mod replay;
mod same_code;
mod saving;
mod scalar;
mod seek;
mod seen;
mod side;
mod simpler;
mod spelling;
mod standalone;
mod types;
mod uninitialised;
mod usage;

/// The version of what this crate computes, for the keys of caches: raise it whenever what running shows of functions changes.
/// The test `golden` notices if that is forgotten.
pub const VERSION: &str = "8";

pub use estrange_words::End;
pub use families::{Family, Fate};
pub use grade::{Grade, Kept, Quality, Reference};
pub use input::{Input, InputError};
pub use mutants::{Mutant, Operator, mutants};
pub use oracle::{Checked, Oracle, OracleError, Prepared, Settings, Subject, Variant};
pub use outcome::Outcome;
pub use program::BuildError;
pub use record::{Cause, Difference, Gates, Reached, Record, Seen, Share, Survivor, Untestable, Verdict};
pub use renaming::renamed_function;
pub use replay::{Compiled, Fitted, Place, Ran, Replay};
pub use standalone::{NotStandalone, Standalone};
pub use uninitialised::{Unwatchable, Watched};
