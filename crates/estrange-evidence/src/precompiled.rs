//! Precompiled headers of C++: the headers that several units begin with are read once.

use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tempfile::TempDir;

/// From so many units on, headers are worth precompiling.
const WORTH_IT: usize = 2;
/// So many sets of headers are kept, the last used ones: each takes tens of megabytes on disk.
const KEPT: usize = 24;

/// The name that a unit includes them by.
pub(crate) const NAME: &str = "headers.h";

/// The precompiled headers of one compiler, at any of its levels `L`.
#[derive(Debug)]
pub(crate) struct Precompiled<L> {
    sets: Mutex<Vec<Set<L>>>,
}

impl<L> Default for Precompiled<L> {
    fn default() -> Self {
        Self { sets: Mutex::default() }
    }
}

/// One set of headers as one level and one list of flags reads them.
#[derive(Debug)]
struct Set<L> {
    level: L,
    flags: Vec<String>,
    headers: String,
    /// How many units began with them so far.
    units: usize,
    /// Where they are; nothing if the compiler refuses them.
    written: Arc<OnceLock<Option<TempDir>>>,
}

/// A set that stays on disk as long as this is held.
pub(crate) struct Held(Arc<OnceLock<Option<TempDir>>>);

impl Held {
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.0.get()?.as_ref().map(TempDir::path)
    }
}

impl<L: PartialEq> Precompiled<L> {
    /// The precompiled headers for so many more units that begin with them; nothing if they are not worth it yet, or
    /// cannot be. `make` writes them into a new folder, unless the compiler refuses them.
    pub(crate) fn get<E>(
        &self,
        level: L,
        flags: &[String],
        headers: &str,
        units: usize,
        make: impl FnOnce() -> Result<Option<TempDir>, E>,
    ) -> Result<Option<Held>, E> {
        let written = {
            let mut sets = self.sets.lock().unwrap_or_else(PoisonError::into_inner);
            let at = sets.iter().position(|set| set.level == level && set.flags == flags && set.headers == headers);
            let mut set = match at {
                Some(at) => sets.remove(at),
                None => {
                    Set { level, flags: flags.to_vec(), headers: headers.to_owned(), units: 0, written: Arc::default() }
                }
            };
            set.units += units;
            let written = (set.units >= WORTH_IT).then(|| Arc::clone(&set.written));
            sets.push(set);
            // Those that are in use stay on disk until they are not.
            let used = sets.iter().filter(|set| set.written.get().is_some()).count();
            if used > KEPT
                && let Some(oldest) = sets.iter().position(|set| set.written.get().is_some())
            {
                sets.remove(oldest);
            }
            written
        };
        let Some(written) = written else { return Ok(None) };
        if written.get().is_none() {
            let made = make()?;
            // Another thread may have been quicker; its set serves as well.
            let _ = written.set(made);
        }
        let held = Held(written);
        Ok(held.folder().is_some().then_some(held))
    }
}
