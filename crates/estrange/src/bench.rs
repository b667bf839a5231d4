//! Opening a bench, and saying why one cannot be used.

use std::path::Path;

use estrange_bench::{Bench, BenchError};

use crate::voice::Failure;

/// Opens a bench for reading.
pub fn open(folder: &Path) -> Result<Bench, Failure> {
    Bench::open(folder).map_err(|error| unusable(&error))
}

/// The words for it, with what to do about it.
pub fn unusable(error: &BenchError) -> Failure {
    let failure = Failure::new(error.to_string());
    match error.hint() {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}
