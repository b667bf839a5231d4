//! What a build computed before, kept in the cache: see [`estrange_store`].

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) use estrange_store::{Keep, key};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::BuildError;

const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The store.
#[derive(Debug, Clone)]
pub(crate) struct Store(estrange_store::Store);

impl Store {
    pub(crate) fn open(cache: &Path) -> Result<Self, BuildError> {
        Ok(Self(estrange_store::Store::open(cache.join("built"))?))
    }

    /// Its folder.
    pub(crate) fn folder(&self) -> &Path {
        self.0.folder()
    }

    /// The cache that it is a part of.
    pub(crate) fn cache(&self) -> &Path {
        let folder = self.0.folder();
        folder.parent().unwrap_or(folder)
    }

    /// A folder for files that serve one build only. What a build that was killed left there goes after a day.
    pub(crate) fn scratch(&self) -> Result<PathBuf, BuildError> {
        let folder = self.0.folder().join("scratch");
        let failed = |source| BuildError::Cache { path: folder.clone(), source };
        fs::create_dir_all(&folder).map_err(failed)?;
        for entry in fs::read_dir(&folder).map_err(failed)?.flatten() {
            let modified = entry.metadata().and_then(|found| found.modified());
            if modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > A_DAY)) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        Ok(folder)
    }

    /// The entry of `key`, or what `make` gives, which is then kept unless `make` says that it may not be.
    pub(crate) fn get_or<T: Serialize + DeserializeOwned>(
        &self,
        key: &str,
        make: impl FnOnce() -> Result<(T, Keep), BuildError>,
    ) -> Result<T, BuildError> {
        self.0.get_or(key, make)
    }

    /// The entry of `key`, if there is one that is whole.
    pub(crate) fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        self.0.get(key)
    }

    /// The entry of `key`, which was kept a moment ago.
    pub(crate) fn entry<T: DeserializeOwned>(&self, key: &str) -> Result<T, BuildError> {
        Ok(self.0.entry(key)?)
    }

    /// Keeps a value under `key`.
    pub(crate) fn put(&self, key: &str, value: &impl Serialize) -> Result<(), BuildError> {
        Ok(self.0.put(key, value)?)
    }

    /// Keeps a value under a hash of itself, and gives that: for values that an index refers to.
    pub(crate) fn put_content(&self, value: &impl Serialize) -> Result<String, BuildError> {
        Ok(self.0.put_content(value)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The format does not describe itself: it cannot read back what serde writes in certain shapes.
    #[test]
    fn every_kind_of_evidence_is_read_back() {
        use estrange_evidence::{Difference, Evidence, SameCode, Why};
        let first_difference = Difference { line: 1, original: "a".to_owned(), unit: "b".to_owned() };
        let verdicts = [
            Ok(SameCode::Same),
            Ok(SameCode::Explained { why: vec![Why::Place] }),
            Ok(SameCode::Different { first_difference }),
            Ok(SameCode::Absent { in_original: true }),
            Err("refused".to_owned()),
        ];
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path()).expect("a store");
        for (number, verdict) in verdicts.into_iter().enumerate() {
            let evidence = Evidence { o0: verdict.clone(), o2: verdict };
            let key = key("test", &[&[number as u8]]);
            let kept = store.get_or(&key, || Ok((evidence.clone(), Keep::Yes))).expect("a value");
            let read: Evidence = store.get_or(&key, || panic!("it was not read back")).expect("a value");
            assert_eq!((kept, read), (evidence.clone(), evidence));
        }
    }
}
