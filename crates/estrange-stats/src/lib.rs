//! Metrics and statistics: what rankings, answers and raters are worth, and how sure that is.
//!
//! Everything here is a pure function of numbers; nothing knows where they come from. What is random takes a seed,
//! and the same seed gives the same result on every machine. Input that has no answer (nothing, not a number, lists
//! that should be of one length and are not) is a typed error, never a NaN.
//!
//! | question | module |
//! |---|---|
//! | How good are these rankings? | [`retrieval`] |
//! | How good are these yes-or-no answers? | [`classification`] |
//! | How likely does one of k answers pass? | [`mod@pass_at_k`] |
//! | How far do raters agree? | [`agreement`] |
//! | How many have to be looked at, and of which kind? | [`sampling`] |
//! | What is the mean of some trials, and its error? | [`summary`] |
//! | Between which bounds does this mean lie? | [`bootstrap`] |
//! | Is one better than the other, and by how much? | [`paired`] |
//! | The same, of different items | [`unpaired`] |
//! | What if many such questions are asked at once? | [`holm`](mod@holm) |
//! | Do two things go together? | [`correlation`] |

pub mod agreement;
pub mod bootstrap;
pub mod classification;
pub mod correlation;
mod error;
pub mod holm;
pub mod paired;
pub mod pass_at_k;
mod random;
pub mod retrieval;
pub mod sampling;
mod special;
pub mod summary;
pub mod unpaired;

pub use error::StatisticsError;
