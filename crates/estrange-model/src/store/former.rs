//! Stores as they were before: one file that only grew. What was paid for is not paid for again.
//!
//! ```text
//! store   "estrange answers 1\n", then records
//! record  key (32 bytes), length of the value (4 bytes, little-endian), value, check (the first 8 bytes of the BLAKE3
//!         hash of all that is before it in the record)
//! ```

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::{Key, Store, StoreError};

const HEADER: &[u8] = b"estrange answers 1\n";
const KEY: usize = 32;
const LENGTH: usize = 4;
const CHECK: usize = 8;

/// Makes room for a folder where such a file is; says where the file is then, if there is one.
pub(super) fn set_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let failed = |source| StoreError::Io { path: path.to_owned(), source };
    let aside = path.with_extension("former");
    if path.is_file() {
        let mut header = Vec::new();
        File::open(path).and_then(|file| file.take(HEADER.len() as u64).read_to_end(&mut header)).map_err(failed)?;
        if !HEADER.starts_with(&header) {
            return Err(StoreError::NotAStore { path: path.to_owned() });
        }
        fs::rename(path, &aside).or_else(unless_gone).map_err(failed)?;
    }
    Ok(aside)
}

/// Puts what a file set aside holds into a store, and removes it. If that is not done to its end, it is done again: of
/// what is there already, nothing changes.
pub(super) fn take_over(aside: &Path, store: &Store) -> Result<(), StoreError> {
    let failed = |source| StoreError::Io { path: aside.to_owned(), source };
    let file = match File::open(aside) {
        Ok(file) => file,
        Err(error) => return unless_gone(error).map_err(failed),
    };
    let mut reader = BufReader::with_capacity(1 << 20, file);
    reader.by_ref().take(HEADER.len() as u64).read_to_end(&mut Vec::new()).map_err(failed)?;
    while let Some((key, value)) = record(&mut reader).map_err(failed)? {
        store.put(key, &value)?;
    }
    fs::remove_file(aside).or_else(unless_gone).map_err(failed)
}

/// The next record; none at the end, and where the file is not what it was.
fn record(reader: &mut impl Read) -> io::Result<Option<(Key, Vec<u8>)>> {
    let mut record = Vec::new();
    reader.by_ref().take((KEY + LENGTH) as u64).read_to_end(&mut record)?;
    let Some((key, length)) = record.split_first_chunk::<KEY>() else { return Ok(None) };
    let Ok(length) = length.try_into().map(u32::from_le_bytes) else { return Ok(None) };
    let key = Key(*key);
    reader.by_ref().take(u64::from(length) + CHECK as u64).read_to_end(&mut record)?;
    let whole = KEY + LENGTH + length as usize;
    let is_whole =
        record.len() == whole + CHECK && blake3::hash(&record[..whole]).as_bytes()[..CHECK] == record[whole..];
    Ok(is_whole.then(|| (key, record[KEY + LENGTH..whole].to_vec())))
}

/// Another run may have been quicker.
fn unless_gone(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

/// A file as it was before, with these values, for tests.
#[cfg(test)]
pub(super) fn written(values: &[(Key, &[u8])]) -> Vec<u8> {
    let mut file = HEADER.to_vec();
    for (key, value) in values {
        let mut record = key.0.to_vec();
        record.extend((value.len() as u32).to_le_bytes());
        record.extend(*value);
        let check = blake3::hash(&record);
        file.extend(record);
        file.extend(&check.as_bytes()[..CHECK]);
    }
    file
}
