//! Benches and runs in the formats of others, and theirs as benches.
//!
//! | format | what is written | read |
//! |---|---|---|
//! | [`beir`] | `corpus.jsonl`, `queries.jsonl`, `qrels/test.tsv` | |
//! | [`mteb`] | Parquet files as a data set of Hugging Face's hub | |
//! | [`trec`] | qrels, and runs | |
//! | [`clarc`] | lists of queries and functions, in JSON | yes |
//! | [`croissant`] | the bench's own files, with what a machine reads about them | |
//! | [`datasets`] | pairs as `datasets` of Hugging Face loads them | |
//! | [`faults`] | a log of where pairs fault, with the files that it names | |
//! | [`reproducers`] | pairs as folders that build and show the bug | |
//!
//! What is written comes as [`ExportedCorpus`]; whoever puts these together knows tasks, and this module does not. Every
//! export goes into a [new folder](into_new_folder) and has a [data card](card).

pub mod beir;
pub mod card;
pub mod clarc;
mod column;
mod corpus;
pub mod croissant;
pub mod datasets;
mod error;
pub mod faults;
mod file;
mod folder;
pub mod mteb;
mod pair_card;
pub mod pair_set;
mod reports;
pub mod reproducers;
pub mod trec;

pub use corpus::ExportedCorpus;
pub use error::ExchangeError;
pub use folder::into_new_folder;
