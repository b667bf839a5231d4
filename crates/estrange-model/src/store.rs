//! What models answered, kept on disk by content: one file that only grows.
//!
//! A killed run leaves at most one answer half written, at the end of the file. The next run ignores it and writes over
//! it. Only one run at a time may have a store open: the file is locked as long as it is.
//!
//! ```text
//! store   "estrange answers 1\n", then records
//! record  key (32 bytes), length of the value (4 bytes, little-endian), value, check (the first 8 bytes of the BLAKE3
//!         hash of all that is before it in the record)
//! ```

mod rehearsal;
mod stored;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::io::{self, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use rehearsal::Rehearsal;
pub use stored::Stored;

const HEADER: &[u8] = b"estrange answers 1\n";
const KEY: usize = 32;
const LENGTH: usize = 4;
const CHECK: usize = 8;

/// What stands for a question in a store: the hash of everything that the answer depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key([u8; KEY]);

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
}

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another run has it open.
    #[error("the store of answers {} is in use by another run", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file is something else, and is left alone.
    #[error("{} is not a store of answers, or one of another version", path.display())]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// An answer in the middle of the file is not what was written.
    #[error("the store of answers {} is damaged at byte {at}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the damaged answer begins.
        at: u64,
    },
    /// The file cannot be read or written.
    #[error("the store of answers {} cannot be used: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
}

impl StoreError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            StoreError::InUse { .. } => "wait until that run has ended, or name another store".to_owned(),
            StoreError::NotAStore { .. } => "name another file; this one was left as it is".to_owned(),
            StoreError::Damaged { path, at } => {
                format!("`truncate --size={at} {}` keeps the answers before that place", path.display())
            }
            StoreError::Io { .. } => "name a file in a folder that can be written".to_owned(),
        }
    }
}

/// A store that is open. Threads may share it.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    file: File,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Where each value is.
    values: HashMap<Key, Place>,
    /// Where the next record goes.
    end: u64,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    start: u64,
    length: u32,
}

impl Store {
    /// Opens a store, which is made if it is not there.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let failed = |source| StoreError::Io { path: path.to_owned(), source };
        let options = File::options().read(true).write(true).create(true).truncate(false).open(path);
        let file = options.map_err(failed)?;
        match file.try_lock() {
            Ok(()) => (),
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse { path: path.to_owned() }),
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let state = read(path, &file)?;
        // What a killed run left half written is cut off, so that less than that may be written over it.
        file.set_len(state.end).map_err(failed)?;
        Ok(Self { path: path.to_owned(), file, state: Mutex::new(state) })
    }

    /// How many answers there are.
    pub fn len(&self) -> usize {
        self.state().values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The answer to a question, if it was given before.
    pub fn get(&self, key: Key) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(place) = self.state().values.get(&key).copied() else { return Ok(None) };
        let mut value = vec![0; place.length as usize];
        self.file.read_exact_at(&mut value, place.start).map_err(|source| self.failed(source))?;
        Ok(Some(value))
    }

    /// Whether a question was answered before.
    pub fn contains(&self, key: Key) -> bool {
        self.state().values.contains_key(&key)
    }

    /// Keeps an answer. It is in the file when this returns. The first answer to a question stays.
    pub fn put(&self, key: Key, value: &[u8]) -> Result<(), StoreError> {
        let too_long = |_| self.failed(io::Error::new(io::ErrorKind::FileTooLarge, "an answer of over 4 GiB"));
        let length = u32::try_from(value.len()).map_err(too_long)?;
        let mut record = Vec::with_capacity(KEY + LENGTH + value.len() + CHECK);
        record.extend(key.0);
        record.extend(length.to_le_bytes());
        record.extend(value);
        record.extend(check(&record));
        let mut state = self.state();
        if state.values.contains_key(&key) {
            return Ok(());
        }
        if let Err(source) = self.file.write_all_at(&record, state.end) {
            // A part of it may be there, as on a full disk. It must not be found behind what comes next.
            let _ = self.file.set_len(state.end);
            return Err(self.failed(source));
        }
        let start = state.end + (KEY + LENGTH) as u64;
        state.values.insert(key, Place { start, length });
        state.end += record.len() as u64;
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is locked; and what is in it is whole at any moment.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self, source: io::Error) -> StoreError {
        StoreError::Io { path: self.path.clone(), source }
    }
}

fn check(record: &[u8]) -> [u8; CHECK] {
    let mut check = [0; CHECK];
    check.copy_from_slice(&blake3::hash(record).as_bytes()[..CHECK]);
    check
}

/// Reads where everything is. A file that ends within its header gets a whole one.
fn read(path: &Path, file: &File) -> Result<State, StoreError> {
    let failed = |source| StoreError::Io { path: path.to_owned(), source };
    let whole = file.metadata().map_err(failed)?.len();
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let mut header = Vec::new();
    reader.by_ref().take(HEADER.len() as u64).read_to_end(&mut header).map_err(failed)?;
    if !HEADER.starts_with(&header) {
        return Err(StoreError::NotAStore { path: path.to_owned() });
    }
    if header.len() < HEADER.len() {
        file.write_all_at(HEADER, 0).map_err(failed)?;
    }
    let mut state = State { values: HashMap::new(), end: HEADER.len() as u64 };
    let mut record = Vec::new();
    loop {
        record.clear();
        reader.by_ref().take((KEY + LENGTH) as u64).read_to_end(&mut record).map_err(failed)?;
        let Some((key, length)) = record.split_first_chunk::<KEY>() else { return Ok(state) };
        let Ok(length) = length.try_into().map(u32::from_le_bytes) else { return Ok(state) };
        let key = Key(*key);
        let end = state.end + (KEY + LENGTH + CHECK) as u64 + u64::from(length);
        if end > whole {
            return Ok(state);
        }
        reader.by_ref().take(end - state.end - record.len() as u64).read_to_end(&mut record).map_err(failed)?;
        let (content, expected) = record.split_at(record.len() - CHECK);
        if check(content) != expected {
            // The last record may have been cut off in a way that left its length. Any other was whole once.
            return if end == whole {
                Ok(state)
            } else {
                Err(StoreError::Damaged { path: path.to_owned(), at: state.end })
            };
        }
        state.values.insert(key, Place { start: state.end + (KEY + LENGTH) as u64, length });
        state.end = end;
    }
}
