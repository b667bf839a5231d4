//! What was computed before, kept by content: a key stands for everything that a result depends on.
//!
//! A [`Store`] is a folder. An entry is a file in it that appears whole or not at all, so that a process may be killed at
//! any moment, and several may use one store at once: of two that make the same entry, either one's stays. An entry
//! begins with the hash of its bytes: one that was damaged is no entry, and is made again.
//!
//! Where an entry has to be a folder, [`Folders`] keeps it.
//!
//! This crate must not know what is kept, or for whom.

mod folders;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use folders::Folders;

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be used: {source}", path.display())]
pub struct StoreError {
    /// The file or folder.
    pub path: PathBuf,
    /// The system's answer.
    pub source: io::Error,
}

/// Whether a result may be kept: what failed for reasons outside of its key may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// It may.
    Yes,
    /// It may not.
    No,
}

/// The key of some parts. The stage names the computation and its version.
pub fn key(stage: &str, parts: &[&[u8]]) -> String {
    let mut key = KeyHasher::new(stage);
    parts.iter().for_each(|part| key.add(part));
    key.finish()
}

/// A key of parts that are not all at hand at once: a hash over each with its length, so that no two lists of parts give
/// the same.
#[derive(Debug, Clone)]
pub struct KeyHasher(blake3::Hasher);

impl KeyHasher {
    /// The key of a computation, by its name and version.
    pub fn new(stage: &str) -> Self {
        let mut key = Self(blake3::Hasher::new());
        key.add(stage.as_bytes());
        key
    }

    /// Adds a part.
    pub fn add(&mut self, part: &[u8]) {
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    /// The key.
    pub fn finish(&self) -> String {
        self.0.finalize().to_hex()[..40].to_owned()
    }
}

/// A folder of entries; cheap to clone, usable from many threads and processes at once.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// Opens the store in a folder, which is made if it is not there.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let folder = folder.into();
        match fs::create_dir_all(&folder) {
            Ok(()) => Ok(Self { folder }),
            Err(source) => Err(StoreError { path: folder, source }),
        }
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of an entry, whether it is there or not.
    pub fn place(&self, key: &str) -> PathBuf {
        self.folder.join(key.get(..2).unwrap_or(key)).join(key)
    }

    /// Whether there is an entry that is what it was when it was kept.
    pub fn is_whole(&self, key: &str) -> bool {
        is_whole(&self.place(key)).unwrap_or(false)
    }

    /// Whether there is an entry; it may be damaged.
    pub fn contains(&self, key: &str) -> bool {
        self.place(key).is_file()
    }

    /// The bytes of an entry, if there is one that is whole.
    pub fn bytes(&self, key: &str) -> Option<Vec<u8>> {
        let mut entry = fs::read(self.place(key)).ok()?;
        let length = content(&entry)?.len();
        entry.drain(..entry.len() - length);
        Some(entry)
    }

    /// Keeps bytes under a key.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn put_bytes(&self, key: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.place(key);
        self.write(&path, bytes).map_err(|source| StoreError { path, source })
    }

    /// The value of an entry, if there is one that is whole and holds such a value.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let entry = fs::read(self.place(key)).ok()?;
        postcard::from_bytes(content(&entry)?).ok()
    }

    /// Keeps a value under a key.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put(&self, key: &str, value: &(impl Serialize + ?Sized)) -> Result<(), StoreError> {
        self.put_bytes(key, &self.encode(value)?)
    }

    /// The value of an entry, or what `make` gives, which is then kept unless `make` says that it may not be.
    ///
    /// # Errors
    /// What `make` says, or that the value cannot be kept.
    pub fn get_or<T: Serialize + DeserializeOwned, E: From<StoreError>>(
        &self,
        key: &str,
        make: impl FnOnce() -> Result<(T, Keep), E>,
    ) -> Result<T, E> {
        if let Some(value) = self.get(key) {
            return Ok(value);
        }
        let (value, keep) = make()?;
        if keep == Keep::Yes {
            self.put(key, &value)?;
        }
        Ok(value)
    }

    /// The value of an entry that is known to be there.
    ///
    /// # Errors
    /// When it is gone.
    pub fn entry<T: DeserializeOwned>(&self, key: &str) -> Result<T, StoreError> {
        let gone = || io::Error::new(io::ErrorKind::NotFound, "what was kept there is gone");
        self.get(key).ok_or_else(|| StoreError { path: self.place(key), source: gone() })
    }

    /// Keeps a value under a hash of itself, and gives that: for values that an index refers to.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put_content(&self, value: &(impl Serialize + ?Sized)) -> Result<String, StoreError> {
        let bytes = self.encode(value)?;
        let key = key("content", &[&bytes]);
        if !self.contains(&key) {
            self.put_bytes(&key, &bytes)?;
        }
        Ok(key)
    }

    fn encode(&self, value: &(impl Serialize + ?Sized)) -> Result<Vec<u8>, StoreError> {
        let failed = |error| StoreError { path: self.folder.clone(), source: io::Error::other(error) };
        postcard::to_allocvec(value).map_err(failed)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new().prefix(".new-").tempfile_in(folder)?;
        file.write_all(blake3::hash(bytes).as_bytes())?;
        file.write_all(bytes)?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }
}

/// The bytes of an entry, if they are what they were. A machine that lost power may have left anything.
fn content(entry: &[u8]) -> Option<&[u8]> {
    let (hash, bytes) = entry.split_first_chunk::<32>()?;
    (blake3::hash(bytes) == *hash).then_some(bytes)
}

/// Whether the entry in a file is what it was when it was kept, for those who look through a whole cache.
///
/// # Errors
/// When it cannot be read.
pub fn is_whole(path: &Path) -> io::Result<bool> {
    Ok(content(&fs::read(path)?).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path().join("kept")).expect("a store");
        (folder, store)
    }

    fn made(store: &Store, value: u32, keep: Keep) -> u32 {
        let made: Result<u32, StoreError> = store.get_or(&key("test", &[b"a"]), || Ok((value, keep)));
        made.expect("a value")
    }

    #[test]
    fn an_entry_is_made_once_and_again_if_it_is_damaged() {
        let (_folder, store) = store();
        assert_eq!(made(&store, 1, Keep::Yes), 1);
        assert_eq!(made(&store, 2, Keep::Yes), 1);
        let path = store.place(&key("test", &[b"a"]));
        assert!(is_whole(&path).expect("an entry"));
        let whole = fs::read(&path).expect("an entry");
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).expect("writes");
            assert_eq!(store.get::<u32>(&key("test", &[b"a"])), None);
            assert!(!is_whole(&path).expect("a file"));
        }
        let mut other = whole;
        *other.last_mut().expect("not empty") ^= 1;
        fs::write(&path, other).expect("writes");
        assert_eq!(made(&store, 3, Keep::Yes), 3);
    }

    #[test]
    fn what_may_not_be_kept_is_made_again() {
        let (_folder, store) = store();
        assert_eq!(made(&store, 1, Keep::No), 1);
        assert_eq!(made(&store, 2, Keep::Yes), 2);
    }

    #[test]
    fn bytes_and_values_are_read_back() {
        let (_folder, store) = store();
        store.put_bytes("0123", b"some").expect("kept");
        assert_eq!(store.bytes("0123").as_deref(), Some(&b"some"[..]));
        assert_eq!((store.contains("0123"), store.contains("0124")), (true, false));
        let key = store.put_content("a text").expect("kept");
        assert_eq!(store.put_content("a text").expect("kept"), key);
        assert_eq!(store.entry::<String>(&key).expect("an entry"), "a text");
        assert_eq!(store.entry::<String>("4567").expect_err("none").source.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn many_threads_may_make_the_same_entries() {
        let (_folder, store) = store();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for number in 0..64_u32 {
                        let key = key("test", &[&number.to_le_bytes()]);
                        store.put(&key, &vec![number; 1000]).expect("kept");
                        assert_eq!(store.entry::<Vec<u32>>(&key).expect("whole at any moment"), [number; 1000]);
                    }
                });
            }
        });
        let files =
            |folder: &Path| fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        assert_eq!(files(store.folder()).flat_map(|folder| files(&folder).collect::<Vec<_>>()).count(), 64);
    }

    #[test]
    fn a_store_moves_with_its_folder() {
        let (folder, store) = store();
        store.put("0123", "kept").expect("kept");
        let elsewhere = folder.path().join("elsewhere");
        fs::rename(store.folder(), &elsewhere).expect("moved");
        assert_eq!(Store::open(elsewhere).expect("a store").entry::<String>("0123").expect("an entry"), "kept");
    }

    #[test]
    fn keys_tell_parts_apart() {
        assert_ne!(key("s", &[b"ab", b"c"]), key("s", &[b"a", b"bc"]));
        assert_ne!(key("s", &[]), key("t", &[]));
    }
}
