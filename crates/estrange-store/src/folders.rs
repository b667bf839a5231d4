//! Entries that are folders: made under a temporary name, and renamed into place when they are whole.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use crate::StoreError;

/// What begins the names of entries that are being made.
const UNFINISHED: &str = ".new-";

/// What a killed process left goes after so long.
const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A folder of entries that are folders; usable from many processes at once. Of two that make the same entry, one wins,
/// and the other's is dropped. What is in an entry is not checked here.
#[derive(Debug, Clone)]
pub struct Folders {
    folder: PathBuf,
}

impl Folders {
    /// Opens the store in a folder, which is made if it is not there, and clears away what killed processes left in it.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let folder = folder.into();
        fs::create_dir_all(&folder).map_err(|source| StoreError { path: folder.clone(), source })?;
        let before = SystemTime::now() - A_DAY;
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let is_old = entry.metadata().and_then(|data| data.modified()).is_ok_and(|time| time < before);
            if is_old && entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        Ok(Self { folder })
    }

    /// The folder of an entry, whether it is there or not.
    pub fn place(&self, key: &str) -> PathBuf {
        self.folder.join(key)
    }

    /// A folder to make an entry in; it goes unless it is kept.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn begin(&self) -> Result<TempDir, StoreError> {
        let made = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(&self.folder);
        made.map_err(|source| StoreError { path: self.folder.clone(), source })
    }

    /// Keeps what was made. An entry that is there already stays if `is_good` says so, and is replaced if not.
    ///
    /// # Errors
    /// When it cannot be put into its place.
    pub fn keep(&self, key: &str, made: TempDir, is_good: impl Fn(&Path) -> bool) -> Result<(), StoreError> {
        let place = self.place(key);
        let failed = |source| StoreError { path: place.clone(), source };
        if place.exists() && !is_good(&place) {
            fs::remove_dir_all(&place).map_err(failed)?;
        }
        match fs::rename(made.path(), &place) {
            Ok(()) => {
                // It is no longer temporary.
                let _ = made.keep();
                Ok(())
            }
            // Another process was faster; its entry is as good.
            Err(_) if is_good(&place) => Ok(()),
            Err(error) => Err(failed(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(store: &Folders, text: &str) -> TempDir {
        let made = store.begin().expect("a folder");
        fs::write(made.path().join("text"), text).expect("written");
        made
    }

    #[test]
    fn the_first_good_entry_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Folders::open(folder.path()).expect("a store");
        let read = || fs::read_to_string(store.place("key").join("text")).expect("an entry");
        let is_good = |place: &Path| fs::read_to_string(place.join("text")).is_ok_and(|text| text != "bad");
        for (text, expected) in [("bad", "bad"), ("one", "one"), ("two", "one")] {
            store.keep("key", made(&store, text), is_good).expect("kept");
            assert_eq!(read(), expected);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left of what was not kept");
    }
}
