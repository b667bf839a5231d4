//! What models answered, kept by content (see [`estrange_store`]): any number of runs may use a store at once, and one that
//! is killed loses only what was not answered yet.
//!
//! Stores of former versions were one file each. Such a file is read once, and becomes a folder (`former`).

mod former;
mod rehearsal;
mod stored;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use estrange_words::Hint;

pub use rehearsal::Rehearsal;
pub use stored::Stored;

/// What stands for a question in a store: the hash of everything that the answer depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key([u8; 32]);

impl Key {
    /// The key of some parts, each with its length, so that no two lists of parts have the same.
    pub fn new(parts: &[&[u8]]) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Self(*hasher.finalize().as_bytes())
    }

    /// The name of its entry.
    fn name(self) -> String {
        blake3::Hash::from_bytes(self.0).to_hex().to_string()
    }
}

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is a file where it should be, which is something else and is left alone.
    #[error("{} is not a store of answers", path.display())]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// Its folder cannot be read or written.
    #[error("the store of answers {} cannot be used: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
}

impl Hint for StoreError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        Some(Cow::Borrowed(match self {
            StoreError::NotAStore { .. } => "name another folder; this file was left as it is",
            StoreError::Io { .. } => "name a folder that can be written",
        }))
    }
}

impl From<estrange_store::StoreError> for StoreError {
    fn from(error: estrange_store::StoreError) -> Self {
        StoreError::Io { path: error.path, source: error.source }
    }
}

/// A store that is open. Threads and processes may share it.
#[derive(Debug)]
pub struct Store(estrange_store::Store);

impl Store {
    /// Opens a store, which is made if it is not there.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let former = former::set_aside(path)?;
        let store = Self(estrange_store::Store::open(path)?);
        former::take_over(&former, &store)?;
        Ok(store)
    }

    /// The answer to a question, if it was given before. One that was damaged was not.
    pub fn get(&self, key: Key) -> Option<Vec<u8>> {
        self.0.bytes(&key.name())
    }

    /// Whether a question was answered before.
    pub fn contains(&self, key: Key) -> bool {
        self.0.is_whole(&key.name())
    }

    /// Keeps an answer. It is on disk when this returns. The first answer to a question stays.
    pub fn put(&self, key: Key, value: &[u8]) -> Result<(), StoreError> {
        if !self.contains(key) {
            self.0.put_bytes(&key.name(), value)?;
        }
        Ok(())
    }
}
