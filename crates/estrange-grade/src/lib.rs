//! Grades what somebody wrote in a function's place.
//!
//! | what | where |
//! |---|---|
//! | the function in a reply: out of fences and prose, with what it brings along | [`answer`] |
//! | code in the names of a variant, put back into the names of the original | [`names`] |
//! | an answer in the unit of the function | [`placed`] |
//! | held against the function, on inputs that were found before | [`function`] |
//!
//! This crate must not know who answers, what was asked, or the files of a bench.

pub mod answer;
pub mod function;
pub mod names;
pub mod placed;

/// The version of what this crate computes, for the keys of caches.
pub const VERSION: &str = "1";

pub use estrange_oracle::{Gates, Kept, renamed_function};

pub use answer::{Answer, NoAnswer, Wanted};
pub use function::{Functions, GradeError, Graded, Submission, Target};
