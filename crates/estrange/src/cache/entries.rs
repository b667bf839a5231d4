//! The entries of a cache: where they lie, how large they are, when they were used, and whether they are whole.

use std::fs::{self, File, FileTimes, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use estrange_build::is_whole_result;
use estrange_source::{is_whole_download, is_whole_tree};

use crate::arguments::CacheKind;

/// Something that is kept, and goes as a whole.
#[derive(Debug)]
pub struct Entry {
    pub kind: CacheKind,
    pub path: PathBuf,
    pub bytes: u64,
    /// When it was last written, or read as far as the disk tells.
    pub used: SystemTime,
}

/// Every entry, in the order of their paths.
pub fn read(root: &Path) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for (folder, kind) in [
        ("downloads", CacheKind::Downloads),
        ("partial", CacheKind::Downloads),
        ("trees", CacheKind::Trees),
        ("git", CacheKind::Repositories),
        ("apt", CacheKind::Repositories),
        ("flags", CacheKind::Flags),
        ("tmp", CacheKind::Leftovers),
        ("built/scratch", CacheKind::Leftovers),
    ] {
        for path in children(&root.join(folder))? {
            entries.extend(entry(if is_new(&path) { CacheKind::Leftovers } else { kind }, path)?);
        }
    }
    for (store, kind) in [
        ("built", CacheKind::Results),
        ("parses", CacheKind::Results),
        ("models/vectors", CacheKind::Vectors),
        ("models/answers", CacheKind::Answers),
    ] {
        for folder in children(&root.join(store))?.into_iter().filter(|path| !path.ends_with("scratch")) {
            for path in children(&folder)? {
                entries.extend(entry(if is_new(&path) { CacheKind::Leftovers } else { kind }, path)?);
            }
        }
        // A store of a former version is a file, until it is used.
        let former = root.join(store);
        if former.is_file() {
            entries.extend(entry(kind, former)?);
        }
    }
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(entries)
}

/// Whether something is under way, by its name.
fn is_new(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".new-"))
}

fn children(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// An entry, unless it went meanwhile.
fn entry(kind: CacheKind, path: PathBuf) -> io::Result<Option<Entry>> {
    let looked = (|| Ok((size(&path)?, used(&fs::metadata(mark(&path))?)?)))();
    match looked {
        Ok((bytes, used)) => Ok(Some(Entry { kind, path, bytes, used })),
        Err(error) if io::Error::kind(&error) == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn size(path: &Path) -> io::Result<u64> {
    let found = fs::symlink_metadata(path)?;
    match found.is_dir() {
        false => Ok(found.len()),
        true => children(path)?.iter().map(|child| size(child)).sum(),
    }
}

/// What is read of an entry whenever it is used: of a folder the file that says what it is, if there is one.
fn mark(path: &Path) -> PathBuf {
    let marks = ["tree.json", "report.json"].map(|name| path.join(name));
    marks.into_iter().find(|mark| mark.exists()).unwrap_or_else(|| path.to_owned())
}

fn used(found: &Metadata) -> io::Result<SystemTime> {
    let written = found.modified()?;
    Ok(found.accessed().map_or(written, |read| read.max(written)))
}

impl Entry {
    /// Whether it is what it was when it was kept; nothing, where there is no way to tell.
    pub fn is_whole(&self) -> io::Result<Option<bool>> {
        let mark = mark(&self.path);
        let read_before = fs::metadata(&mark)?.accessed();
        let is_whole = match self.kind {
            CacheKind::Downloads if self.path.is_file() => Some(is_whole_download(&self.path)?),
            CacheKind::Trees => Some(is_whole_tree(&self.path)?),
            CacheKind::Vectors | CacheKind::Answers if self.is_former_store() => None,
            CacheKind::Results | CacheKind::Vectors | CacheKind::Answers => Some(is_whole_result(&self.path)?),
            CacheKind::Flags => {
                let text = fs::read(self.path.join("report.json")).unwrap_or_default();
                Some(serde_json::from_slice::<serde_json::Value>(&text).is_ok())
            }
            CacheKind::Downloads | CacheKind::Repositories | CacheKind::Leftovers => None,
        };
        // To be looked at is not to be used.
        if let (Ok(read_before), Ok(file)) = (read_before, File::open(&mark)) {
            let _ = file.set_times(FileTimes::new().set_accessed(read_before));
        }
        Ok(is_whole)
    }

    /// Whether it is all that a former version kept of models.
    fn is_former_store(&self) -> bool {
        self.path.parent().is_some_and(|folder| folder.ends_with("models"))
    }

    /// Removes it: first by one rename, so that a kill leaves nothing that looks whole and is not.
    pub fn remove(&self, root: &Path) -> io::Result<()> {
        let aside = root.join("tmp").join(format!("pruned-{}", std::process::id()));
        fs::rename(&self.path, &aside)?;
        match fs::symlink_metadata(&aside)?.is_dir() {
            true => fs::remove_dir_all(&aside),
            false => fs::remove_file(&aside),
        }
    }
}
