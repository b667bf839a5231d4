//! Telling a function with a bug from the same one without it, as its surface changes: the second task.
//!
//! A bench of pairs has both sides of each pair at every level of a ladder of rewrites. [`Ladder`] reads what is to be
//! shown; [`Detection`] is the task on it: an item is a side of a pair in a setting, a part is some dozens of them. Who is
//! asked is a [`Detector`]: a language model, a static analyser, a file of verdicts, or one that does not look.
//!
//! | what | where |
//! |---|---|
//! | what is kept of each item, and what was said of it | [`Case`], [`Opinion`] |
//! | which detectors there are | [`Choice`] |
//! | what a language model is asked | [`Template`], [`DEFAULT_PROMPT`] |
//! | what its answers mean | [`read`] |
//! | what all that is worth, over items | [`mod@sums`] |
//! | runs side by side | [`document()`] |

mod analysed;
mod asked;
mod choice;
mod detection;
mod detector;
mod document;
mod error;
mod judged;
mod ladder;
mod precomputed;
mod records;
mod reply;
pub mod sums;
mod template;
mod trivial;

pub use analysed::Analysed;
pub use asked::Asked;
pub use choice::{Choice, ChoiceError};
pub use detection::Detection;
pub use detector::{Detector, Said, Shown};
pub use document::{DocumentOptions, document};
pub use error::DetectError;
pub use judged::{Judged, NEAR, judged};
pub use ladder::{Chosen, Ladder};
pub use precomputed::Precomputed;
pub use records::{Case, Opinion};
pub use reply::{Reply, read};
pub use template::{DEFAULT_PROMPT, Template};
pub use trivial::{Chance, Constant, Length};

pub use crate::given::PrecomputedError;
pub use crate::interview::{AskedOptions, Traced};
pub use crate::places::TemplateError;

/// What the task is called.
pub const NAME: &str = "detection";

/// The setting in which functions are as they were written: what the others are compared with.
pub const STANDARD: &str = "L0";

#[cfg(test)]
mod tests;
