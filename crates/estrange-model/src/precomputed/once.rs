//! Sees to it that an id stands for one thing alone.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::error::PrecomputedError;

/// What each id was taken for so far.
#[derive(Debug, Default)]
pub(super) struct Once(Mutex<FxHashMap<String, blake3::Hash>>);

impl Once {
    /// Takes an id of a file for a thing; an error if it was taken for another one before.
    pub(super) fn take(&self, path: &Path, id: &str, thing: &str) -> Result<(), PrecomputedError> {
        let thing = blake3::hash(thing.as_bytes());
        // Nothing panics while it is locked.
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match taken.get(id) {
            Some(before) if *before != thing => {
                Err(PrecomputedError::Ambiguous { path: path.to_owned(), id: id.to_owned() })
            }
            Some(_) => Ok(()),
            None => {
                taken.insert(id.to_owned(), thing);
                Ok(())
            }
        }
    }
}
