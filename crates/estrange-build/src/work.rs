//! What every step of a build works with.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use estrange_inference::tokenizer::Tokenizer;

use crate::options::{Options, Progress, Share};
use crate::store::Store;
use crate::tools::Tools;

/// What the work on functions is done with.
pub(crate) struct Work<'a> {
    pub(crate) options: &'a Options,
    pub(crate) share: Share,
    pub(crate) tools: &'a Tools,
    pub(crate) store: &'a Store,
    pub(crate) tokenizer: Option<&'a Tokenizer>,
    pub(crate) progress: &'a dyn Progress,
    pub(crate) computed: &'a Computed,
}

/// The functions for which anything had to be computed that the cache did not have.
#[derive(Debug, Default)]
pub(crate) struct Computed(Mutex<HashSet<String>>);

impl Computed {
    /// Notes that something had to be computed for a function; the log tells what.
    pub(crate) fn add(&self, id: &str, what: &str) {
        tracing::debug!(id, what, "computed");
        let mut ids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !ids.contains(id) {
            ids.insert(id.to_owned());
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}
