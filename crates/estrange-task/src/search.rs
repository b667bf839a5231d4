//! Finding a function by its description: the first task.
//!
//! [`Library`] reads a bench once; [`Library::corpora`] puts together what is searched, one [`Corpus`] for each group,
//! view, setting and seed. [`Search`] is the task on them: an item is a query in a corpus, a part is a corpus. [`document()`]
//! puts runs side by side.

mod checked;
mod corpus;
mod document;
mod error;
mod export;
mod library;
mod measures;
mod ranking;
mod records;
mod shift;

pub use corpus::{Asked, Corpus, Document};
pub use document::{DocumentOptions, document};
pub use error::SearchError;
pub use export::exported;
pub use library::{Chosen, Known, Library, STANDARD};
pub use ranking::{Options, Search};
pub use records::{CorpusCounts, CorpusFacts, Ranking, Shift};

/// What the task is called.
pub const NAME: &str = "search";
