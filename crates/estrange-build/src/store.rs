//! What was computed before, kept by content: the key stands for everything that a result depends on.
//!
//! An entry is a file that appears whole or not at all. One that cannot be read is computed again.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::BuildError;

const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The store.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    folder: PathBuf,
}

/// The hash of some parts, each with its length, so that no two lists of parts give the same.
pub(crate) fn key(stage: &str, parts: &[&[u8]]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in [stage.as_bytes()].iter().chain(parts) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().to_hex()[..40].to_owned()
}

impl Store {
    pub(crate) fn open(cache: &Path) -> Result<Self, BuildError> {
        let folder = cache.join("built");
        fs::create_dir_all(&folder).map_err(|source| BuildError::Cache { path: folder.clone(), source })?;
        Ok(Self { folder })
    }

    /// The cache that it is a part of.
    pub(crate) fn cache(&self) -> &Path {
        self.folder.parent().unwrap_or(&self.folder)
    }

    /// A folder for files that serve one build only. What a build that was killed left there goes after a day.
    pub(crate) fn scratch(&self) -> Result<PathBuf, BuildError> {
        let folder = self.folder.join("scratch");
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
        let path = self.folder.join(&key[..2]).join(key);
        if let Some(value) = fs::read(&path).ok().and_then(|bytes| decode(&bytes)) {
            return Ok(value);
        }
        let (value, keep) = make()?;
        if keep == Keep::Yes {
            self.put(&path, &value).map_err(|source| BuildError::Cache { path, source })?;
        }
        Ok(value)
    }

    fn put(&self, path: &Path, value: &impl Serialize) -> io::Result<()> {
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder)?;
        let bytes = postcard::to_allocvec(value).map_err(io::Error::other)?;
        let mut file = tempfile::Builder::new().prefix(".new-").tempfile_in(folder)?;
        file.write_all(blake3::hash(&bytes).as_bytes())?;
        file.write_all(&bytes)?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }
}

/// Whether a result may be kept: what failed for reasons outside of its key may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    Yes,
    No,
}

/// Reads an entry: its hash, then its bytes. A machine that lost power may have left anything.
fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(content(bytes)?).ok()
}

/// The bytes of an entry, if they are what they were.
fn content(entry: &[u8]) -> Option<&[u8]> {
    let (hash, bytes) = entry.split_first_chunk::<32>()?;
    (blake3::hash(bytes) == *hash).then_some(bytes)
}

/// Whether an entry is what it was when it was kept, for those who look through a whole cache.
pub fn is_whole_result(path: &Path) -> io::Result<bool> {
    Ok(content(&fs::read(path)?).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_made_once_and_again_if_it_is_damaged() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path()).expect("a store");
        let key = key("test", &[b"a"]);
        let get = |value: u32| store.get_or(&key, || Ok((value, Keep::Yes))).expect("a value");
        assert_eq!(get(1), 1);
        assert_eq!(get(2), 1);
        let path = folder.path().join("built").join(&key[..2]).join(&key);
        let mut bytes = fs::read(&path).expect("an entry");
        *bytes.last_mut().expect("not empty") ^= 1;
        fs::write(&path, bytes).expect("writes");
        assert_eq!(get(3), 3);
    }

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

    #[test]
    fn what_may_not_be_kept_is_made_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path()).expect("a store");
        let key = key("test", &[b"a"]);
        assert_eq!(store.get_or(&key, || Ok((1, Keep::No))).expect("a value"), 1);
        assert_eq!(store.get_or(&key, || Ok((2, Keep::Yes))).expect("a value"), 2);
    }

    #[test]
    fn keys_tell_parts_apart() {
        assert_ne!(key("s", &[b"ab", b"c"]), key("s", &[b"a", b"bc"]));
    }
}
