//! The words of all headers, each kept once: sets of headers have most of their words in common.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// Words, each with a number. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Vocabulary(Arc<RwLock<HashMap<Arc<str>, u32>>>);

impl Vocabulary {
    /// The word as it is kept, and its number.
    pub(super) fn intern(&self, word: &str) -> (Arc<str>, u32) {
        let mut words = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if let Some((kept, number)) = words.get_key_value(word) {
            return (Arc::clone(kept), *number);
        }
        let (kept, number) = (Arc::<str>::from(word), words.len() as u32);
        words.insert(Arc::clone(&kept), number);
        (kept, number)
    }

    /// The number of a word; nothing if no header has it.
    pub(super) fn number(&self, word: &str) -> Option<u32> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(word).copied()
    }
}
