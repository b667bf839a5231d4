//! When the functions of a bench last changed, and which of them certain changes touch.
//!
//! | what | where |
//! |---|---|
//! | the functions of a bench, with the days on which they changed and those that were asked for | [`Past`] |
//! | the lines of functions, followed back through a history | [`Tracks`] |
//! | how many changes and functions are left after each step, and where the others went | [`Step`] |
//! | a day | [`Day`] |
//!
//! Functions are followed by their lines, from the revision that the bench was made of back to the changes that touch them: so
//! nothing is guessed from names, and no old file has to be parsed.
//!
//! This crate reads histories and benches; it must not know models, nor what is asked about functions.

mod asked;
mod day;
mod past;
mod step;
mod tracks;

pub use asked::{Asked, With};
pub use day::{BadDay, Day};
pub use past::{LeftOut, Past, SourcePast};
pub use step::{Of, Step, sums};
pub use tracks::{Place, Tracks};
