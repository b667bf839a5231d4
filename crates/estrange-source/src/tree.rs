//! A tree on disk: its digest, and the state in which it is kept.

use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps};
use serde::{Deserialize, Serialize};

use crate::digest::TreeDigest;

/// The time every file of a kept tree carries: build tools see nothing newer than anything else.
const EPOCH: Timespec = Timespec { tv_sec: 1_000_000_000, tv_nsec: 0 };

/// What a tree amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Summary {
    pub(crate) digest: TreeDigest,
    pub(crate) files: u64,
    pub(crate) bytes: u64,
}

/// One entry of a tree.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Relative to the tree.
    pub(crate) path: PathBuf,
    pub(crate) kind: Kind,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Folder,
    File { executable: bool },
    Link(PathBuf),
}

/// The digest of everything in the folder `root`; fails on what no kept tree holds, such as a device.
pub(crate) fn summarize(root: &Path) -> io::Result<Summary> {
    let mut entries = Vec::new();
    list(root, Path::new(""), &mut entries)?;
    summarize_entries(root, &mut entries)
}

/// The digest of these entries of the folder `root`, which are sorted on the way.
pub(crate) fn summarize_entries(root: &Path, entries: &mut [Entry]) -> io::Result<Summary> {
    entries.sort_unstable_by(|a, b| a.path.as_os_str().cmp(b.path.as_os_str()));
    let contents: Vec<Option<(blake3::Hash, u64)>> = entries
        .par_iter()
        .map(|entry| match entry.kind {
            Kind::File { .. } => hash(&root.join(&entry.path)).map(Some),
            _ => Ok(None),
        })
        .collect::<io::Result<_>>()?;
    let mut hasher = blake3::Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(b"estrange tree 1");
    let (mut files, mut bytes) = (0, 0);
    for (entry, content) in entries.iter().zip(contents) {
        part(entry.path.as_os_str().as_bytes());
        match (&entry.kind, content) {
            (Kind::Folder, _) => part(b"folder"),
            (Kind::Link(target), _) => {
                part(b"link");
                part(target.as_os_str().as_bytes());
            }
            (Kind::File { executable }, content) => {
                part(if *executable { b"program" } else { b"file" });
                if let Some((content, length)) = content {
                    part(content.as_bytes());
                    bytes += length;
                }
                files += 1;
            }
        }
    }
    Ok(Summary { digest: TreeDigest(*hasher.finalize().as_bytes()), files, bytes })
}

fn hash(path: &Path) -> io::Result<(blake3::Hash, u64)> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok((hasher.finalize(), hasher.count()))
}

fn list(root: &Path, folder: &Path, entries: &mut Vec<Entry>) -> io::Result<()> {
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        let kind = entry.file_type()?;
        let kind = if kind.is_dir() {
            list(root, &path, entries)?;
            Kind::Folder
        } else if kind.is_symlink() {
            Kind::Link(fs::read_link(entry.path())?)
        } else if kind.is_file() {
            Kind::File { executable: entry.metadata()?.permissions().mode() & 0o100 != 0 }
        } else {
            return Err(io::Error::other(format!("{} is no file, folder or link", path.display())));
        };
        entries.push(Entry { path, kind });
    }
    Ok(())
}

/// Gives everything in `root`, and `root` itself, the same time and plain permissions.
pub(crate) fn settle(root: &Path) -> io::Result<()> {
    for entry in fs::read_dir(root)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            settle(&entry.path())?;
        } else {
            if kind.is_file() {
                let executable = entry.metadata()?.permissions().mode() & 0o100 != 0;
                fs::set_permissions(entry.path(), fs::Permissions::from_mode(if executable { 0o755 } else { 0o644 }))?;
            }
            set_time(&entry.path())?;
        }
    }
    fs::set_permissions(root, fs::Permissions::from_mode(0o755))?;
    set_time(root)
}

fn set_time(path: &Path) -> io::Result<()> {
    let times = Timestamps { last_access: EPOCH, last_modification: EPOCH };
    Ok(rustix::fs::utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_sees_every_change_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir(root.join("d")).unwrap();
        fs::write(root.join("d/a"), "one").unwrap();
        fs::write(root.join("b"), "two").unwrap();
        std::os::unix::fs::symlink("b", root.join("l")).unwrap();
        let mut seen = vec![summarize(root).unwrap().digest];
        assert_eq!(summarize(root).unwrap(), Summary { digest: seen[0], files: 2, bytes: 6 });
        settle(root).unwrap();
        assert_eq!(summarize(root).unwrap().digest, seen[0], "times and other permissions do not count");
        let mut change = |what: &str, action: &dyn Fn()| {
            action();
            let digest = summarize(root).unwrap().digest;
            assert!(!seen.contains(&digest), "{what} must change the digest");
            seen.push(digest);
        };
        change("content", &|| fs::write(root.join("b"), "twO").unwrap());
        change("the executable bit", &|| {
            fs::set_permissions(root.join("b"), fs::Permissions::from_mode(0o755)).unwrap();
        });
        change("a new name", &|| fs::rename(root.join("d/a"), root.join("d/c")).unwrap());
        change("a link's target", &|| {
            fs::remove_file(root.join("l")).unwrap();
            std::os::unix::fs::symlink("d", root.join("l")).unwrap();
        });
        change("an empty folder", &|| fs::create_dir(root.join("e")).unwrap());
        change("an empty file", &|| fs::write(root.join("e/f"), "").unwrap());
    }
}
