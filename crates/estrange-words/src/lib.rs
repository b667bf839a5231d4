//! The closed lists of words that every crate shares, what each word means, and how things are counted in a sentence.
//!
//! A list is one enum ([`words!`]). It spells a word in one way everywhere: in Parquet, in JSON, on the command line. The
//! comment above a word is also what a user reads about it: [`Word::meaning`].

mod count;
mod detection;
mod end;
mod hint;
mod language;
mod mistake;
mod not_asked;
mod outcome;
mod reason;
mod split;
mod stage;
mod target;
mod tier;
mod undefinedness;
mod word;

pub use count::{counted, noun};
pub use detection::{Problem, Verdict};
pub use end::End;
pub use hint::Hint;
pub use language::Language;
pub use mistake::{Mistake, MistakeCategory};
pub use not_asked::NotAsked;
pub use outcome::Outcome;
pub use reason::{Concern, Reason};
#[doc(hidden)]
pub use serde;
pub use split::Split;
pub use stage::Stage;
pub use target::Target;
pub use tier::Tier;
pub use undefinedness::Undefinedness;
#[doc(hidden)]
pub use word::deserialize;
pub use word::{UnknownWord, Word};
