//! Keeps what was found out about a tree, by content, so that asking again does almost no work.
//!
//! An entry is a folder made under a temporary name and renamed into place when complete: a process killed on the way
//! leaves no half entry, and of two processes doing the same work one wins and the other takes its result.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use estrange_sandbox::{Sandbox, Tool};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::tree::Tree;
use super::{Attempt, Configure, FlagOptions, Flags, FlagsError, FlagsReport, Found, SourceFile};
use crate::installed::installed_headers;

/// Changes whenever the same tree may give other flags than before.
const STAGE: &str = "flags 6";

/// What stands for the tree's root in a stored entry.
const ROOT: &str = "/scratch/tree";

/// The tools whose versions a configure step depends on.
const TOOLS: [&str; 8] = ["clang-19", "gcc", "cmake", "meson", "ninja", "make", "autoconf", "automake"];

/// A place for entries.
#[derive(Debug)]
pub(crate) struct Store {
    folder: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    own_tree: bool,
    files: BTreeMap<PathBuf, Flags>,
    attempts: Vec<Attempt>,
}

impl Store {
    /// Opens the store in the cache folder, and clears away what killed processes left a day ago or earlier.
    pub fn open(cache: &Path) -> Result<Self, FlagsError> {
        let folder = cache.join("flags");
        fs::create_dir_all(&folder).map_err(|source| FlagsError::Cache { path: folder.clone(), source })?;
        let day_ago = SystemTime::now() - Duration::from_secs(24 * 60 * 60);
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let old = entry.metadata().and_then(|data| data.modified()).is_ok_and(|time| time < day_ago);
            if old && entry.file_name().to_string_lossy().starts_with(".new-") {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        Ok(Self { folder })
    }

    /// The report kept under `key`, for the tree at `root`.
    pub fn load(&self, key: &str, root: &Path) -> Option<FlagsReport> {
        let folder = self.folder.join(key);
        let entry: Entry = serde_json::from_slice(&fs::read(folder.join("report.json")).ok()?).ok()?;
        let root = if entry.own_tree { folder.join("tree") } else { root.to_owned() };
        let mut files = entry.files;
        files.values_mut().for_each(|flags| flags.relocate(Path::new(ROOT), &root));
        Some(FlagsReport { key: key.to_owned(), root, files, attempts: entry.attempts })
    }

    /// A folder to make an entry in; it vanishes unless it is kept.
    pub fn begin(&self) -> Result<TempDir, FlagsError> {
        tempfile::Builder::new()
            .prefix(".new-")
            .tempdir_in(&self.folder)
            .map_err(|source| FlagsError::Cache { path: self.folder.clone(), source })
    }

    /// Keeps what was found and, if it is about the tree in it, the folder it was made in.
    pub fn keep(&self, key: &str, made: TempDir, found: Found) -> Result<(), FlagsError> {
        let failed = |source| FlagsError::Cache { path: self.folder.clone(), source };
        let Found { root, mut files, attempts } = found;
        files.values_mut().for_each(|flags| flags.relocate(&root, Path::new(ROOT)));
        let entry = Entry { own_tree: root.starts_with(made.path()), files, attempts };
        let bytes = serde_json::to_vec(&entry).map_err(|error| failed(error.into()))?;
        fs::write(made.path().join("report.json"), bytes).map_err(failed)?;
        let place = self.folder.join(key);
        if place.exists() && self.load(key, &root).is_none() {
            // Damaged, or written by a version that kept other things.
            fs::remove_dir_all(&place).map_err(failed)?;
        }
        match fs::rename(made.path(), &place) {
            Ok(()) => {
                // It is no longer temporary.
                let _ = made.keep();
                Ok(())
            }
            // Another process was faster; its entry is as good.
            Err(_) if place.join("report.json").is_file() => Ok(()),
            Err(error) => Err(failed(error)),
        }
    }
}

/// Under which name a tree's flags are kept: everything they depend on.
pub(crate) fn key(tree: &Tree, files: &[SourceFile], options: &FlagOptions, sandbox: &Sandbox) -> io::Result<String> {
    let mut hash = blake3::Hasher::new();
    let mut add = |bytes: &[u8]| {
        hash.update(&(bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    add(STAGE.as_bytes());
    add(tool_versions().as_bytes());
    add(installed_headers().as_bytes());
    add(match options.configure {
        Configure::Auto => b"auto",
        Configure::Never => b"never",
    });
    // What compilers can see, they may find.
    add(if sandbox.is_protected() { b"confined" } else { b"open" });
    for file in files {
        add(file.path.as_os_str().as_encoded_bytes());
        add(format!("{:?} {:?}", file.language, file.kind).as_bytes());
    }
    for path in tree.files() {
        add(path.as_bytes());
        add(&fs::read(tree.root().join(path))?);
    }
    Ok(hash.finalize().to_hex().to_string())
}

/// The first line that each tool says about its version; asked once.
fn tool_versions() -> &'static str {
    static VERSIONS: OnceLock<String> = OnceLock::new();
    VERSIONS.get_or_init(|| {
        let version = |tool: &&str| {
            let asked = Tool::new(*tool).argument("--version").wall(Duration::from_secs(20)).run();
            asked.map(|output| output.text().lines().next().unwrap_or_default().to_owned()).unwrap_or_default()
        };
        TOOLS.iter().map(version).collect::<Vec<_>>().join("\n")
    })
}

/// Copies a tree's files to a new place, to have headers added there.
pub(crate) fn copy_tree(tree: &Tree, to: &Path) -> io::Result<()> {
    copy_files(tree, to, |_| true)
}

/// Copies those of a tree's files for whose new paths `wanted` holds.
pub(crate) fn copy_files(tree: &Tree, to: &Path, wanted: impl Fn(&Path) -> bool) -> io::Result<()> {
    for path in tree.files() {
        let target = to.join(path);
        if !wanted(&target) {
            continue;
        }
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
        }
        match fs::copy(tree.root().join(path), &target) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            copied => {
                copied?;
            }
        }
    }
    Ok(())
}
