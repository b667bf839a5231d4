//! What somebody made before: vectors and rankings by id, from files.
//!
//! | file | holds |
//! |---|---|
//! | `….jsonl` | a line for each text: `{"id": "…", "embedding": [0.1, …]}` |
//! | `….npy` | a row for each text, as NumPy saves it; the ids are the lines of `….ids.txt` beside it |
//! | `….trec`, `….run` | a TREC run: `query Q0 document rank score tag`, of which the rank is not used |
//! | a folder | such files, one for each collection of texts, with its name |
//!
//! A text's id is `COLLECTION/ID`: the same thing may have another text in each collection. In a file the collection may
//! be left out, as long as that leaves no doubt. In a folder the name of a file is that of its collection.

mod error;
mod once;
mod rankings;
#[cfg(test)]
mod tests;
mod vectors;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

pub use error::PrecomputedError;
pub use rankings::Rankings;
pub use vectors::Vectors;

use crate::dense::Dense;
use crate::traits::Ranker;

/// The ranker that a file or a folder makes, whatever it holds.
pub fn open(path: &Path) -> Result<Box<dyn Ranker>, PrecomputedError> {
    let files = files(path)?;
    let are = |known: fn(&Path) -> bool| !files.is_empty() && files.iter().all(|file| known(&file.path));
    match (are(holds_vectors), are(holds_rankings)) {
        (true, _) => Ok(Box::new(Dense::new(Vectors::open(path)?))),
        (_, true) => Ok(Box::new(Rankings::open(path)?)),
        _ => Err(PrecomputedError::Unknown { path: path.to_owned() }),
    }
}

fn holds_vectors(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "jsonl" || extension == "npy")
}

fn holds_rankings(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "trec" || extension == "run")
}

/// A file with what was made before, and what stands before its ids.
struct Source {
    path: PathBuf,
    /// The name of its collection and a stroke, if it has one of its own.
    before: String,
}

/// The files that a path stands for: itself, or what a folder has of the known kinds, in the order of their names.
fn files(path: &Path) -> Result<Vec<Source>, PrecomputedError> {
    if !path.is_dir() {
        return Ok(vec![Source { path: path.to_owned(), before: String::new() }]);
    }
    let failed = |source| PrecomputedError::Io { path: path.to_owned(), source };
    let entries = fs::read_dir(path).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    let mut paths: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    paths.retain(|path| holds_vectors(path) || holds_rankings(path));
    paths.sort();
    let source = |path: PathBuf| {
        let before = format!("{}/", path.file_stem().unwrap_or_default().to_string_lossy());
        Source { path, before }
    };
    Ok(paths.into_iter().map(source).collect())
}

/// An id without its collection.
fn plain(id: &str) -> Option<&str> {
    id.split_once('/').map(|(_, plain)| plain)
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
