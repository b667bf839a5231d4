//! Keeps what was found out about a tree, by content, so that asking again does almost no work. An entry is a folder, since
//! configuring may have made headers.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use estrange_sandbox::{Sandbox, Tool};
use estrange_store::{Folders, KeyHasher};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::paths::name;
use super::tree::Tree;
use super::{Attempt, Configure, FlagOptions, Flags, FlagsError, FlagsReport, Found, SourceFile};
use crate::installed::installed_headers;

/// Changes whenever the same tree may give other flags than before.
const STAGE: &str = "flags 6";

/// What stands for the tree's root in a stored entry.
const ROOT: &str = "/scratch/tree";

/// The tools whose versions a configure step depends on, each with the files that it reads. Where a tree has none of them, the
/// tool is not asked: some take half a second to say their version. Those without files are always asked.
const TOOLS: [(&str, &[&str]); 8] = [
    ("clang-19", &[]),
    ("gcc", &[]),
    ("cmake", &["CMakeLists.txt"]),
    ("meson", &["meson.build"]),
    ("ninja", &["CMakeLists.txt", "meson.build"]),
    ("make", &[]),
    ("autoconf", &["configure.ac", "configure.in"]),
    ("automake", &["configure.ac", "configure.in"]),
];

/// Long enough for any tool to say its version.
const VERSION_WALL: Duration = Duration::from_secs(600);

/// A place for entries.
#[derive(Debug)]
pub(crate) struct Store(Folders);

#[derive(Serialize, Deserialize)]
struct Entry {
    own_tree: bool,
    files: BTreeMap<PathBuf, Flags>,
    attempts: Vec<Attempt>,
}

impl Store {
    /// Opens the store in the cache folder.
    pub fn open(cache: &Path) -> Result<Self, FlagsError> {
        Ok(Self(Folders::open(cache.join("flags"))?))
    }

    /// The report kept under `key`, for the tree at `root`.
    pub fn load(&self, key: &str, root: &Path) -> Option<FlagsReport> {
        let folder = self.0.place(key);
        let entry: Entry = serde_json::from_slice(&fs::read(folder.join("report.json")).ok()?).ok()?;
        let root = if entry.own_tree { folder.join("tree") } else { root.to_owned() };
        let mut files = entry.files;
        files.values_mut().for_each(|flags| flags.relocate(Path::new(ROOT), &root));
        Some(FlagsReport { key: key.to_owned(), root, files, attempts: entry.attempts })
    }

    /// A folder to make an entry in; it vanishes unless it is kept.
    pub fn begin(&self) -> Result<TempDir, FlagsError> {
        Ok(self.0.begin()?)
    }

    /// Keeps what was found and, if it is about the tree in it, the folder it was made in.
    pub fn keep(&self, key: &str, made: TempDir, found: Found) -> Result<(), FlagsError> {
        let path = made.path().join("report.json");
        let failed = |source| FlagsError::Cache { path: path.clone(), source };
        let Found { root, mut files, attempts, .. } = found;
        files.values_mut().for_each(|flags| flags.relocate(&root, Path::new(ROOT)));
        let entry = Entry { own_tree: root.starts_with(made.path()), files, attempts };
        let bytes = serde_json::to_vec(&entry).map_err(|error| failed(error.into()))?;
        fs::write(&path, bytes).map_err(failed)?;
        // One that is not good is damaged, or was written by a version that kept other things.
        Ok(self.0.keep(key, made, |_| self.load(key, &root).is_some())?)
    }
}

/// Under which name a tree's flags are kept: everything they depend on.
pub(crate) fn key(tree: &Tree, files: &[SourceFile], options: &FlagOptions, sandbox: &Sandbox) -> io::Result<String> {
    let mut key = KeyHasher::new(STAGE);
    let mut add = |bytes: &[u8]| key.add(bytes);
    add(tool_versions(tree).as_bytes());
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
    Ok(key.finish())
}

/// Under which name flags are kept that another run may better: one that no other run has.
pub(crate) fn passing_key(key: &str, made: &Path) -> String {
    let mut passing = KeyHasher::new("passing flags");
    passing.add(key.as_bytes());
    passing.add(made.as_os_str().as_encoded_bytes());
    passing.finish()
}

/// The first line that each tool says about its version, of those that a configure step of a tree may use.
fn tool_versions(tree: &Tree) -> String {
    let has = |wanted: &&str| tree.files().any(|path| name(path) == *wanted);
    let version = |(tool, files): &(&'static str, &[&str])| match files.is_empty() || files.iter().any(has) {
        true => version(tool),
        false => String::new(),
    };
    TOOLS.iter().map(version).collect::<Vec<_>>().join("\n")
}

/// The first line that a tool says about its version, empty if it is not there; asked once. However busy the machine is, the
/// tool may take its time: a missing answer would stand for other flags.
fn version(tool: &'static str) -> String {
    static KNOWN: Mutex<BTreeMap<&str, String>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let ask = || {
        let asked = Tool::new(tool).argument("--version").wall(VERSION_WALL).run();
        asked.map(|output| output.text().lines().next().unwrap_or_default().to_owned()).unwrap_or_default()
    };
    known.entry(tool).or_insert_with(ask).clone()
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
