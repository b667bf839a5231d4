//! The cache: downloads by content, trees by what made them, and records of what came from where.
//!
//! ```text
//! CACHE/
//!   format            the version of this layout
//!   downloads/SHA256  downloaded files, hashed again on every use
//!   trees/KEY/        root/ (the tree) and tree.json (its digest, what was left out), digested again on every use
//!   records/KEY.json  which downloads a pinned source is made of, which patches a package has
//!   partial/KEY/      downloads under way; a later run goes on from there
//!   tmp/KEY/          trees under way; a later run starts them anew
//!   locks/KEY         locked by whoever fills the entries of that key
//!   locks/in-use      locked by all who have the cache open, together; alone by who removes something
//!   git/ apt/         what git and apt keep for themselves
//! ```
//!
//! Several processes may use it at once. Everything appears under its name by one rename, so a kill at any moment
//! leaves nothing that looks whole and is not. A cache that cannot be written serves what it has.

mod downloads;
mod trees;
mod verify;

use std::fmt::Write as _;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::Access;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use downloads::Download;
pub(crate) use trees::{Made, Tree};
pub use verify::{is_whole_download, is_whole_tree};

use crate::loss::Loss;
use crate::progress::Progress;
use crate::unpack::Bounds;

const FORMAT: &str = "1";
const IN_USE: &str = "in-use";
const FOLDERS: [&str; 8] = ["downloads", "trees", "records", "partial", "tmp", "locks", "git", "apt"];

/// An open cache folder; cheap to share between threads.
#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
    writable: bool,
    bounds: Bounds,
    /// Locked as long as anybody has it.
    _in_use: Option<Arc<File>>,
}

/// The name under which something is kept: its kind, and a hash of all it depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key(String);

impl Key {
    /// `kind` is a plain word; `parts` may be anything.
    pub(crate) fn new<'p>(kind: &str, parts: impl IntoIterator<Item = &'p str>) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        let mut name = format!("{kind}-");
        for byte in &hasher.finalize().as_bytes()[..16] {
            // Writing to a String cannot fail.
            let _ = write!(name, "{byte:02x}");
        }
        Self(name)
    }
}

impl AsRef<Path> for Key {
    fn as_ref(&self) -> &Path {
        self.0.as_ref()
    }
}

/// Held while entries of a key are filled; released when dropped, or by the kernel when the process ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Cache {
    /// Opens the cache in `root` and makes it if need be. Where it exists and cannot be written, it is opened for
    /// reading: [`Cache::is_writable`] says so.
    pub fn open(root: impl AsRef<Path>) -> Result<Self, Loss> {
        let mut cache = Self::open_unlocked(root.as_ref())?;
        let path = cache.folder("locks").join(IN_USE);
        // Whoever removes something is waited for. Where nothing can be written, nothing is removed either.
        if cache.writable {
            let file = lock_file(&path)?;
            file.lock_shared().map_err(Loss::io("lock", &path))?;
            cache._in_use = Some(Arc::new(file));
        }
        Ok(cache)
    }

    /// Opens the cache for one who removes something from it: nothing, if anybody else has it open. Until this is dropped,
    /// others wait.
    pub fn open_alone(root: impl AsRef<Path>) -> Result<Option<Self>, Loss> {
        let mut cache = Self::open_unlocked(root.as_ref())?;
        cache.require_writable("room")?;
        let path = cache.folder("locks").join(IN_USE);
        let file = lock_file(&path)?;
        match file.try_lock() {
            Ok(()) => cache._in_use = Some(Arc::new(file)),
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(Loss::io("lock", &path)(error)),
        }
        Ok(Some(cache))
    }

    fn open_unlocked(root: &Path) -> Result<Self, Loss> {
        let root = std::path::absolute(root).map_err(Loss::io("find", root))?;
        let writable = match prepare(&root) {
            Ok(()) => true,
            Err(error) if is_read_only(&error) && root.join("format").is_file() => false,
            Err(error) if is_read_only(&error) => {
                return Err(Loss::CacheReadOnly { path: root, needed: "a cache".to_owned() });
            }
            Err(error) => return Err(Loss::io("make the cache", &root)(error)),
        };
        let format = root.join("format");
        let found = fs::read_to_string(&format).map_err(Loss::io("read", &format))?;
        if found.trim() != FORMAT {
            return Err(Loss::CacheFormat { path: root, found: found.trim().to_owned(), known: FORMAT });
        }
        Ok(Self { root, writable, bounds: Bounds::default(), _in_use: None })
    }

    /// Where the cache is unless told: `$ESTRANGE_CACHE`, else `$XDG_CACHE_HOME/estrange`, else `~/.cache/estrange`.
    /// `None` where the environment names none of them.
    pub fn default_path() -> Option<PathBuf> {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        variable("ESTRANGE_CACHE")
            .or_else(|| variable("XDG_CACHE_HOME").filter(|path| path.is_absolute()).map(|path| path.join("estrange")))
            .or_else(|| std::env::home_dir().filter(|path| path.is_absolute()).map(|path| path.join(".cache/estrange")))
    }

    /// The same cache, with other bounds on what is unpacked.
    pub fn with_bounds(mut self, bounds: Bounds) -> Self {
        self.bounds = bounds;
        self
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// Whether anything new can be kept.
    pub fn is_writable(&self) -> bool {
        self.writable
    }

    /// The bounds on what is unpacked.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// A folder in the cache.
    pub(crate) fn folder(&self, kind: &str) -> PathBuf {
        self.root.join(kind)
    }

    /// A loss, if the cache cannot be written; `needed` is what was to be put there.
    pub(crate) fn require_writable(&self, needed: &str) -> Result<(), Loss> {
        if self.writable {
            return Ok(());
        }
        Err(Loss::CacheReadOnly { path: self.root.clone(), needed: needed.to_owned() })
    }

    /// A loss, if the disk has no room for so many bytes. For programs that do not notice a full disk themselves.
    pub(crate) fn require_room(&self, bytes: u64) -> Result<(), Loss> {
        match rustix::fs::statvfs(&self.root) {
            Ok(disk) if disk.f_bavail.saturating_mul(disk.f_frsize) < bytes => {
                Err(Loss::DiskFull { path: self.root.clone() })
            }
            // Where the system does not tell, it has to be tried.
            _ => Ok(()),
        }
    }

    /// Waits until nobody else fills entries of this key, and keeps others from it.
    pub(crate) fn lock(&self, key: &Key, progress: &dyn Progress) -> Result<Lock, Loss> {
        let path = self.folder("locks").join(key);
        let file = lock_file(&path)?;
        match file.try_lock() {
            Ok(()) => (),
            Err(TryLockError::WouldBlock) => {
                progress.message("waiting for another process that fetches the same");
                file.lock().map_err(Loss::io("lock", &path))?;
            }
            Err(TryLockError::Error(error)) => return Err(Loss::io("lock", &path)(error)),
        }
        Ok(Lock { _file: file })
    }

    /// What was recorded under a key; a record that cannot be read is as good as none.
    pub(crate) fn record<T: DeserializeOwned>(&self, key: &Key) -> Option<T> {
        let text = fs::read(self.record_path(key)).ok()?;
        serde_json::from_slice(&text).inspect_err(|error| tracing::warn!(?key, %error, "a record is damaged")).ok()
    }

    /// Records something under a key, whose lock is held.
    pub(crate) fn keep_record<T: Serialize>(&self, key: &Key, record: &T) -> Result<(), Loss> {
        let path = self.record_path(key);
        let text = serde_json::to_vec_pretty(record).map_err(|error| Loss::io("write", &path)(error.into()))?;
        let fresh = self.folder("tmp").join(format!("{}.json", key.0));
        fs::write(&fresh, text).map_err(Loss::io("write", &fresh))?;
        fs::rename(&fresh, &path).map_err(Loss::io("rename to", &path))
    }

    fn record_path(&self, key: &Key) -> PathBuf {
        self.folder("records").join(format!("{}.json", key.0))
    }

    /// The folder for a download under way; its key's lock is held.
    pub(crate) fn partial(&self, key: &Key) -> Result<PathBuf, Loss> {
        let path = self.folder("partial").join(key);
        fs::create_dir_all(&path).map_err(Loss::io("make the folder", &path))?;
        Ok(path)
    }

    /// A fresh folder for something under way; its key's lock is held. What a killed process left there is removed.
    pub(crate) fn work(&self, key: &Key) -> Result<Work, Loss> {
        let path = self.folder("tmp").join(key);
        remove(&path).map_err(Loss::io("remove", &path))?;
        fs::create_dir_all(&path).map_err(Loss::io("make the folder", &path))?;
        Ok(Work { path })
    }
}

/// A folder that is removed when this is dropped, unless it was renamed away.
#[derive(Debug)]
pub(crate) struct Work {
    path: PathBuf,
}

impl Work {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        if let Err(error) = remove(&self.path) {
            tracing::warn!(path = %self.path.display(), %error, "a temporary folder stays");
        }
    }
}

/// Removes a file or a folder, if there is one.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// A file to be locked.
fn lock_file(path: &Path) -> Result<File, Loss> {
    let file = File::options().create(true).truncate(false).write(true).open(path);
    file.map_err(Loss::io("open the lock", path))
}

/// Makes what is missing of the layout, and fails where it cannot be written.
fn prepare(root: &Path) -> io::Result<()> {
    fs::create_dir_all(root)?;
    for folder in FOLDERS {
        let folder = root.join(folder);
        fs::create_dir_all(&folder)?;
        rustix::fs::access(&folder, Access::WRITE_OK | Access::EXEC_OK)?;
    }
    let format = root.join("format");
    if !format.exists() {
        // The tag keeps backup programs out of here.
        let tag = "Signature: 8a477f597d28d172789f06886806bc55\n# This folder is Estrange's cache.\n";
        fs::write(root.join("CACHEDIR.TAG"), tag)?;
        let fresh = root.join("tmp").join(format!("format-{}", std::process::id()));
        fs::write(&fresh, format!("{FORMAT}\n"))?;
        fs::rename(&fresh, &format)?;
    }
    Ok(())
}

fn is_read_only(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem)
}
