//! The bench: the data set on disk.
//!
//! ```text
//! BENCH/
//!   manifest.json      format version, configuration, seed, tools, sources, counts, and the hashes of the files
//!   functions.parquet  the functions that were kept, one row each: [`Function`]
//!   rejected.parquet   what was found and not kept, with stage and reason: [`Rejected`]
//! ```
//!
//! This crate must not know models, nor how anything in a record was computed.

mod column;
mod error;
mod record;
mod rows;
mod words;

pub use error::{BatchError, BenchError};
pub use record::{Function, FunctionFacts, Helper, Rejected, RejectedFacts};
pub use rows::{Rows, columns, from_batch, schema, to_batch};
pub use words::{Group, Kind, Language, Split, UnknownWord};
