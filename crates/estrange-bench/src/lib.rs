//! The bench: the data set on disk.
//!
//! ```text
//! BENCH/
//!   manifest.json      format version, configuration, seed, tools, sources, counts, and the hashes of the files
//!   functions.parquet  the functions that were kept, one row each: `Function`
//!   rejected.parquet   what was found and not kept, with stage and reason: `Rejected`
//!   variants.parquet   functions with other names, with evidence: `Variant`; only if settings were asked for
//!   lowered.parquet    functions as assembly, WebAssembly or IR: `Lowered`; only if such settings were asked for
//!   waiting.parquet    variants and lowered functions that are not there, with the reason: `Waiting`; beside these
//!   queries.parquet    descriptions of functions: `Query`; only if they were added
//!   qrels.parquet      what is right for each of them: `Judgement`; beside these
//!   pairs.parquet      functions with a bug and the same without it: `BugPair`; only if they were added
//!   rungs.parquet      both sides of pairs after a recipe that left the bug where it was: `Rung`; beside these
//!   unpaired.parquet   fixes, pairs and rungs that are not there, with the reason: `Unpaired`; beside these
//! ```
//!
//! A build takes the folder with [`Lock::acquire`], and writes records with a [`Writer`], or all at once with
//! [`write()`]; whoever uses the data opens it with [`Bench::open`]. A stage that works on Arrow batches finds
//! [`to_batch`] and [`from_batch`] at its ends. [`funnel`] counts what `estrange stats` prints. [`exchange`] writes benches
//! and runs in the formats of others, and reads theirs.
//!
//! The same records give the same bytes, and what is not whole does not open. This crate must not know models, nor how
//! anything in a record was computed.

mod add;
mod bench;
mod column;
mod counts;
mod error;
pub mod evidence;
pub mod exchange;
mod folder;
pub mod funnel;
mod json;
mod manifest;
mod pairs;
mod part;
mod place;
mod question;
mod record;
mod rows;
mod run;
mod table;
mod tables;
mod words;
mod write;

pub use add::{put_pairs, put_queries};
pub use bench::Bench;
pub use counts::{ByReason, Counts};
pub use error::{BatchError, BenchError};
pub use evidence::{UnitEvidence, VariantEvidence};
pub use folder::Lock;
pub use json::Json;
pub use manifest::{FORMAT_VERSION, FileFacts, Manifest, Provenance, Source};
pub use pairs::{BugPair, Ended, Rung, RungEnds, RungEvidence, Unpaired};
pub use part::{
    Candidate, Part, PartBuild, PartManifest, PartStaging, PartWriter, Placed, ReworkWriter, Reworked, RowPlace,
    Symbol, Taken, Unnumbered, UnnumberedText,
};
pub use question::Question;
pub use record::*;
pub use rows::{Rows, columns, from_batch, schema, to_batch};
pub use run::{
    Answer, Draft, Item, LostRun, Run, RunFacts, RunFolder, RunPart, RunPartWriter, RunRow, RunTable, RunTables, Score,
};
pub use table::{Batches, Records};
pub use tables::{Table, TableRow};
pub use words::{
    Asks, End, Group, Kind, Label, Language, Mistake, Outcome, Problem, Reason, Side, Split, Stage, Tier,
    Undefinedness, UnknownWord, Verdict, View, Writing, WrittenBy,
};
pub use write::{Staging, Writer, write};

/// What the code that [`record!`] makes refers to.
#[doc(hidden)]
pub mod __columns {
    pub use arrow_array::ArrayRef;
    pub use arrow_schema::Fields;

    pub use crate::column::{Column, Reason};
}
