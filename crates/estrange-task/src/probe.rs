//! Saying what a function does on an input, as its surface changes: the third task.
//!
//! Who no longer sees a bug may find the code harder to read, or may no longer recognise it. The probe tells these apart: it
//! asks what functions of the same ladder come to, which was found out by running them. [`Comprehension`] is the task: an item is a
//! question about the patched side of a pair in a setting: what a call comes to, or what the function does, in a summary by which
//! it is to be found among all. Who is asked is a [`Respondent`]: a language model, a file of
//! answers, or one that does not look.
//!
//! | what | where |
//! |---|---|
//! | what is asked | `estrange_bench::Question`; who makes them is no matter of this crate |
//! | which respondents there are | [`Choice`] |
//! | what a language model is asked | [`Template`] |
//! | what its answers mean | [`read`], [`Value`]; of summaries [`Catalogue`] |
//! | what all that is worth, over items | [`mod@sums`] |
//! | runs side by side | [`document()`] |

mod asked;
mod catalogue;
mod choice;
mod comprehension;
mod document;
mod error;
mod judged;
mod precomputed;
mod reading;
mod records;
mod reply;
mod respondent;
pub mod sums;
mod template;
mod trivial;
mod value;

pub use asked::Asked;
pub use catalogue::Catalogue;
pub use choice::{Choice, ChoiceError};
pub use comprehension::{Chosen, Comprehension};
pub use document::{DocumentOptions, document};
pub use error::ProbeError;
pub use judged::{Judged, judged};
pub use precomputed::Precomputed;
pub use records::Response;
pub use reply::read;
pub use respondent::{OrProblem, Reply, Respondent, Said, Shown};
pub use template::Template;
pub use trivial::{Constant, Empty, Gold};
pub use value::Value;

/// What the task is called.
pub const NAME: &str = "comprehension";

#[cfg(test)]
mod tests;
