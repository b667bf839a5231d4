//! What every kind of source needs at hand while it is fetched, and the step they share: having the downloads.

use estrange_sandbox::Sandbox;
use serde::{Deserialize, Serialize};

use crate::cache::{Cache, Download, Key};
use crate::loss::Loss;
use crate::patience::Patience;
use crate::progress::Progress;

/// The surroundings of one fetch.
pub(crate) struct Job<'a> {
    pub(crate) cache: &'a Cache,
    pub(crate) sandbox: &'a Sandbox,
    pub(crate) progress: &'a dyn Progress,
    pub(crate) patience: Patience,
}

/// What a source of a certain version is made of.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Parts {
    pub(crate) downloads: Vec<Download>,
}

impl Job<'_> {
    /// The downloads recorded under `key`, each hashed again; where one is missing, all are had anew through `get`.
    /// `get` runs while the key is locked.
    pub(crate) fn parts(
        &self,
        key: &Key,
        what: &str,
        get: impl FnOnce() -> Result<Parts, Loss>,
    ) -> Result<Parts, Loss> {
        if let Some(parts) = self.kept_parts(key)? {
            return Ok(parts);
        }
        self.cache.require_writable(what)?;
        let _lock = self.cache.lock(key, self.progress)?;
        // Another process may have got them while this one waited.
        if let Some(parts) = self.kept_parts(key)? {
            return Ok(parts);
        }
        let parts = get()?;
        self.cache.keep_record(key, &parts)?;
        Ok(parts)
    }

    fn kept_parts(&self, key: &Key) -> Result<Option<Parts>, Loss> {
        let Some(parts) = self.cache.record::<Parts>(key) else { return Ok(None) };
        for download in &parts.downloads {
            if self.cache.download(download.sha256)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(parts))
    }

    /// Finds out something that changes over time (the newest version, where a branch points) by `find`. Where the
    /// network is down, the last answer is used, and said so.
    pub(crate) fn latest(
        &self,
        key: &Key,
        what: &str,
        find: impl FnOnce() -> Result<String, Loss>,
    ) -> Result<String, Loss> {
        match find() {
            Ok(found) => {
                if self.cache.is_writable() && self.cache.record::<String>(key).as_ref() != Some(&found) {
                    let _lock = self.cache.lock(key, self.progress)?;
                    self.cache.keep_record(key, &found)?;
                }
                Ok(found)
            }
            Err(loss) if loss.is_transient() || matches!(loss, Loss::CacheReadOnly { .. }) => {
                let known: String = self.cache.record(key).ok_or(loss)?;
                self.progress.message(&format!("{what}: not reachable; taking {known}, as last time"));
                Ok(known)
            }
            Err(loss) => Err(loss),
        }
    }
}
