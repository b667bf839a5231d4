//! A bench's folder: what lies where, in what state it is, and who may write to it.
//!
//! ```text
//! BENCH/
//!   manifest.json …      the bench; whole exactly when the manifest is there
//!   .estrange-partial/   files under way; whole or not, nobody reads them
//!   .estrange-lock       locked by whoever builds; gone when the build ends
//! ```

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::error::BenchError;
use crate::manifest::{FORMAT_VERSION, Recognised, recognise};

pub(crate) const MANIFEST: &str = "manifest.json";
pub(crate) const PART: &str = "part.json";
pub(crate) const PARTIAL: &str = ".estrange-partial";
pub(crate) const LOCK: &str = ".estrange-lock";

/// What a folder is to a bench.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Not there, or empty.
    Free,
    /// A build began and did not end.
    Unfinished,
    /// A bench.
    Whole,
}

/// What state a folder is in; an error, if it is none that may be written to.
pub(crate) fn state(folder: &Path) -> Result<State, BenchError> {
    let manifest = folder.join(MANIFEST);
    let occupied =
        |entry: &str| BenchError::Occupied { folder: folder.to_owned(), wanted: "bench", entry: entry.to_owned() };
    match fs::read(&manifest) {
        Ok(text) => match recognise(&text) {
            Recognised::Known => return Ok(State::Whole),
            Recognised::OtherVersion(found) => {
                return Err(BenchError::UnknownVersion { folder: folder.to_owned(), found, known: FORMAT_VERSION });
            }
            Recognised::Foreign(_) => return Err(occupied("a manifest.json that is no bench's")),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => (),
        Err(error) => return Err(BenchError::io("read", &manifest)(error)),
    }
    if folder.join(PARTIAL).is_dir() {
        return Ok(State::Unfinished);
    }
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(State::Free),
        Err(error) => return Err(BenchError::io("read the folder", folder)(error)),
    };
    for entry in entries {
        let name = entry.map_err(BenchError::io("read the folder", folder))?.file_name();
        if name != LOCK {
            return Err(occupied(&name.to_string_lossy()));
        }
    }
    Ok(State::Free)
}

/// Whether a part may be written there: where nothing is, or a part, whole or not.
fn may_hold_part(folder: &Path) -> Result<(), BenchError> {
    if folder.join(PART).exists() || (folder.join(PARTIAL).is_dir() && !folder.join(MANIFEST).exists()) {
        return Ok(());
    }
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(BenchError::io("read the folder", folder)(error)),
    };
    for entry in entries {
        let name = entry.map_err(BenchError::io("read the folder", folder))?.file_name();
        if name != LOCK {
            let entry = name.to_string_lossy().into_owned();
            return Err(BenchError::Occupied { folder: folder.to_owned(), wanted: "part", entry });
        }
    }
    Ok(())
}

/// Whether there are traces of a build that is under way or was stopped.
pub(crate) fn is_under_way(folder: &Path) -> bool {
    folder.join(PARTIAL).is_dir() || folder.join(LOCK).exists()
}

/// The right to write to a folder, for one command at a time.
///
/// It ends when this is dropped, or with the process, however that ends.
#[derive(Debug)]
pub struct Lock {
    folder: PathBuf,
    _file: File,
    made_folder: bool,
}

impl Lock {
    /// Takes a folder for a build, and makes it if need be. An error, if another build has it, or if there is
    /// something in it that is no bench. A bench that is there stays until a new one is written.
    pub fn acquire(folder: impl AsRef<Path>) -> Result<Self, BenchError> {
        Self::take(folder.as_ref(), |folder| state(folder).map(drop))
    }

    /// Takes a folder that passes a check, before it is taken and after.
    /// The same for a part of a build.
    pub fn acquire_for_part(folder: impl AsRef<Path>) -> Result<Self, BenchError> {
        Self::take(folder.as_ref(), may_hold_part)
    }

    pub(crate) fn take(folder: &Path, check: impl Fn(&Path) -> Result<(), BenchError>) -> Result<Self, BenchError> {
        let folder = std::path::absolute(folder).map_err(BenchError::io("find", folder))?;
        check(&folder)?;
        let made_folder = !folder.exists();
        let path = folder.join(LOCK);
        loop {
            fs::create_dir_all(&folder).map_err(BenchError::io("make the folder", &folder))?;
            let file = match File::options().create(true).truncate(false).write(true).open(&path) {
                Ok(file) => file,
                // The folder went between the two calls: another build ended that had made it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(BenchError::io("open the lock", &path)(error)),
            };
            match file.try_lock() {
                Ok(()) => (),
                Err(TryLockError::WouldBlock) => return Err(BenchError::Locked { folder }),
                Err(TryLockError::Error(error)) => return Err(BenchError::io("lock", &path)(error)),
            }
            // A build that ends removes its lock file. A lock on a removed file keeps nobody out.
            if is_at(&file, &path) {
                let lock = Self { folder, _file: file, made_folder };
                check(&lock.folder)?;
                return Ok(lock);
            }
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::metadata(path)) {
        (Ok(held), Ok(there)) => (held.dev(), held.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let path = self.folder.join(LOCK);
        if let Err(error) = fs::remove_file(&path) {
            tracing::warn!(path = %path.display(), %error, "a lock file stays");
        }
        if self.made_folder {
            // Goes only if it is empty: nothing was built.
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

/// Makes what was done in a folder outlast a power cut.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), BenchError> {
    let synced = File::open(folder).and_then(|handle| handle.sync_all());
    synced.map_err(BenchError::io("sync the folder", folder))
}

/// Removes a file, if there is one.
pub(crate) fn remove_file(path: &Path) -> Result<(), BenchError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(BenchError::io("remove", path)(error)),
        _ => Ok(()),
    }
}
