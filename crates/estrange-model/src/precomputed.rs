//! What somebody made before: vectors and rankings by id, from files.
//!
//! | file | holds |
//! |---|---|
//! | `….jsonl` | a line for each text: `{"id": "…", "embedding": [0.1, …]}` |
//! | `….npy` | a row for each text, as NumPy saves it; the ids are the lines of `….ids.txt` beside it |
//! | `….trec`, `….run` | a TREC run: `query Q0 document rank score tag`, of which the rank is not used |

mod error;
mod rankings;
#[cfg(test)]
mod tests;
mod vectors;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

pub use error::PrecomputedError;
pub use rankings::Rankings;
pub use vectors::Vectors;

use crate::dense::Dense;
use crate::traits::Ranker;

/// The ranker that a file makes, whatever it holds.
pub fn open(path: &Path) -> Result<Box<dyn Ranker>, PrecomputedError> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("jsonl" | "npy") => Ok(Box::new(Dense::new(Vectors::open(path)?))),
        Some("trec" | "run") => Ok(Box::new(Rankings::open(path)?)),
        _ => Err(PrecomputedError::Unknown { path: path.to_owned() }),
    }
}

/// What a run records of such a file: its name, and the hash of its content.
fn card(path: &Path, hash: &blake3::Hash) -> Value {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    json!({ "model": format!("precomputed:{name}"), "hash": hash.to_hex().as_str() })
}

fn read(path: &Path) -> Result<Vec<u8>, PrecomputedError> {
    fs::read(path).map_err(|source| PrecomputedError::Io { path: path.to_owned(), source })
}

fn text<'a>(path: &Path, bytes: &'a [u8]) -> Result<&'a str, PrecomputedError> {
    std::str::from_utf8(bytes).map_err(|error| error::malformed(path, 0, format!("it is not UTF-8: {error}")))
}
