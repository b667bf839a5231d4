//! Finding a function by its description.
//!
//! [`Library`] reads a bench once; [`Library::corpora`] puts together what is searched, one [`Corpus`] for each group,
//! view, setting and seed; [`search()`] has a model rank each and scores the rankings; [`rescored`] scores them anew
//! without the model; [`document()`] puts runs side by side.

mod corpus;
mod document;
mod library;
mod ranking;
mod shift;

pub use corpus::{Corpus, Document};
pub use document::{DocumentOptions, document};
pub use library::{Chosen, Library, STANDARD, SearchError};
pub use ranking::{Options, Searched, rescored, search};
pub use shift::shifts;
