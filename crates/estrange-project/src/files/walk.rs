//! Walking a foreign tree: bounded, never through a link, every omission recorded.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::Serialize;

/// How much of a tree is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Folders within folders.
    pub depth: usize,
    /// Files and folders altogether.
    pub entries: usize,
    /// Bytes of one file.
    pub file_bytes: u64,
}

impl Default for Bounds {
    /// Wide enough for the largest source package in Debian, and for sources amalgamated into a single file.
    fn default() -> Self {
        Self { depth: 64, entries: 1_000_000, file_bytes: 32 * 1024 * 1024 }
    }
}

/// Something that was passed over.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Skip {
    /// Relative to the tree's root.
    #[serde(serialize_with = "crate::serialize_path")]
    pub path: PathBuf,
    /// Why.
    pub reason: SkipReason,
}

/// Why something was passed over.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// A symbolic link; its target is listed if it lies in the tree.
    #[error("a symbolic link")]
    SymbolicLink,
    /// A folder whose name starts with a dot: version control, or a tool's private copies.
    #[error("a hidden folder")]
    Hidden,
    /// Neither a file nor a folder.
    #[error("neither a file nor a folder")]
    Special,
    /// A folder deeper than the bound.
    #[error("nested too deeply")]
    TooDeep,
    /// The tree has more entries than the bound; the walk ended here.
    #[error("too many files in this tree")]
    TooMany,
    /// A file larger than the bound.
    #[error("too large: {bytes} bytes")]
    TooLarge {
        /// Its size.
        bytes: u64,
    },
    /// It has null bytes: an object file, an image, UTF-16.
    #[error("not text")]
    NotText,
    /// The system would not let us read it.
    #[error("unreadable: {error}")]
    Unreadable {
        /// The system's answer.
        error: String,
    },
}

pub struct Walked {
    /// Regular files, relative to the root, sorted.
    pub paths: Vec<PathBuf>,
    pub skipped: Vec<Skip>,
}

/// Every regular file below `root`.
pub fn walk(root: &Path, bounds: &Bounds) -> io::Result<Walked> {
    // The root itself must be readable; anything below it that is not, is a skip.
    fs::read_dir(root)?;
    let mut found = Walked { paths: Vec::new(), skipped: Vec::new() };
    let mut folders = vec![(PathBuf::new(), 0)];
    let mut entries = 0;
    while let Some((folder, depth)) = folders.pop() {
        let mut children = match read_folder(&root.join(&folder)) {
            Ok(children) => children,
            Err(error) => {
                let reason = SkipReason::Unreadable { error: error.to_string() };
                found.skipped.push(Skip { path: folder, reason });
                continue;
            }
        };
        children.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        for (name, kind) in children {
            let path = folder.join(&name);
            entries += 1;
            if entries > bounds.entries {
                found.skipped.push(Skip { path, reason: SkipReason::TooMany });
                found.paths.sort_unstable();
                return Ok(found);
            }
            let hidden = name.as_encoded_bytes().starts_with(b".");
            let reason = match kind {
                Some(kind) if kind.is_symlink() => SkipReason::SymbolicLink,
                Some(kind) if kind.is_dir() && hidden => SkipReason::Hidden,
                Some(kind) if kind.is_dir() && depth >= bounds.depth => SkipReason::TooDeep,
                Some(kind) if kind.is_dir() => {
                    folders.push((path, depth + 1));
                    continue;
                }
                Some(kind) if kind.is_file() => {
                    found.paths.push(path);
                    continue;
                }
                _ => SkipReason::Special,
            };
            found.skipped.push(Skip { path, reason });
        }
    }
    found.paths.sort_unstable();
    Ok(found)
}

type Child = (std::ffi::OsString, Option<fs::FileType>);

fn read_folder(folder: &Path) -> io::Result<Vec<Child>> {
    fs::read_dir(folder)?.map(|entry| entry.map(|entry| (entry.file_name(), entry.file_type().ok()))).collect()
}

/// A file's content, if it is text within the bound.
pub fn read(root: &Path, path: &Path, bounds: &Bounds) -> Result<Vec<u8>, SkipReason> {
    let unreadable = |error: io::Error| SkipReason::Unreadable { error: error.to_string() };
    let file = fs::File::open(root.join(path)).map_err(unreadable)?;
    let bytes = file.metadata().map_err(unreadable)?.len();
    if bytes > bounds.file_bytes {
        return Err(SkipReason::TooLarge { bytes });
    }
    let mut content = Vec::new();
    file.take(bounds.file_bytes).read_to_end(&mut content).map_err(unreadable)?;
    match content.contains(&0) {
        true => Err(SkipReason::NotText),
        false => Ok(content),
    }
}
