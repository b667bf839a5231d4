//! Opening a bench, and saying why one cannot be used.

use std::path::Path;

use estrange_bench::exchange::ExchangeError;
use estrange_bench::{Bench, BenchError};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::output;
use crate::voice::Failure;

/// Opens a bench for reading.
pub fn open(folder: &Path) -> Result<Bench, Failure> {
    Bench::open(folder).map_err(|error| unusable(&error))
}

/// What stands for all that a bench holds.
pub fn hash(bench: &Bench) -> Result<String, Failure> {
    bench.hash().map_err(|error| unusable(&error))
}

/// The words for it, with what to do about it.
pub fn unusable(error: &BenchError) -> Failure {
    Failure::of(error)
}

/// The words for what went wrong between formats.
pub fn not_exchanged(error: &ExchangeError) -> Failure {
    Failure::of(error)
}

/// Prints the manifest of a bench or of a part, with a number for its shape in the place of the word that tells manifests from other files.
pub fn print_manifest(format_version: u32, manifest: &impl Serialize) -> Result<(), Failure> {
    let document = serde_json::to_value(manifest).and_then(serde_json::from_value::<Map<String, Value>>);
    let mut document = document.map_err(|error| Failure::new("the manifest cannot be printed").because(&error))?;
    document.remove("format");
    output::print_json(format_version, &document)
}
