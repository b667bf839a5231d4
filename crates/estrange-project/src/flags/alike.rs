//! Flags taken over from another state of a project that differs in code alone: both are compiled alike, and configured once.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use estrange_store::KeyHasher;

use super::paths::name;
use super::store::{Store, copy_tree};
use super::tree::Tree;
use super::{FlagsError, FlagsReport, Found, SourceFile};
use crate::named_role::is_test_path;

/// Raise it when the same two trees may give other flags.
const STAGE: &str = "alike 1";

/// A state of a project whose flags are kept.
#[derive(Debug, Clone)]
pub struct Earlier {
    /// Its tree, as it was surveyed.
    pub tree: PathBuf,
    /// The key of its flags.
    pub key: String,
}

/// The flags of a tree as an earlier one has them, if the two differ in nothing that a build's set-up looks at.
pub(crate) fn taken_over(
    tree: &Tree,
    files: &[SourceFile],
    earlier: &Earlier,
    store: &Store,
) -> Result<Option<FlagsReport>, FlagsError> {
    let Ok(other) = earlier.tree.canonicalize().map(|root| Tree::walk(&root)) else { return Ok(None) };
    let Some(known) = store.load(&earlier.key, other.root()) else { return Ok(None) };
    let Some(differing) = differing_code(tree, &other, files) else { return Ok(None) };
    let mut key = KeyHasher::new(STAGE);
    key.add(earlier.key.as_bytes());
    for path in differing {
        key.add(path.as_bytes());
        key.add(&fs::read(tree.root().join(path)).unwrap_or_default());
    }
    let key = key.finish();
    if let Some(report) = store.load(&key, tree.root()) {
        return Ok(Some(report));
    }
    let made = store.begin()?;
    let mut root = tree.root().to_owned();
    if known.root != other.root() {
        root = made.path().join("tree");
        let unusable = |source| FlagsError::Cache { path: root.clone(), source };
        copy_tree(tree, &root).and_then(|()| add_made(&known.root, &other, &root)).map_err(unusable)?;
    }
    let mut flags = known.files;
    flags.values_mut().for_each(|flags| flags.relocate(&known.root, &root));
    store.keep(&key, made, Found { root, files: flags, attempts: known.attempts, cut_short: false })?;
    Ok(store.load(&key, tree.root()))
}

/// The paths at which two trees differ, if nothing there decides how code is compiled.
fn differing_code<'t>(one: &'t Tree, other: &'t Tree, files: &[SourceFile]) -> Option<Vec<&'t str>> {
    let code: HashSet<&Path> = files.iter().map(|file| file.path.as_path()).collect();
    let all: BTreeSet<&str> = one.files().chain(other.files()).collect();
    let mut differing = Vec::new();
    for path in all {
        let is_in_both = one.has(path) && other.has(path);
        if is_in_both && same(&one.root().join(path), &other.root().join(path)) {
            continue;
        }
        if !(is_in_both && code.contains(Path::new(path)) || is_test_path(Path::new(path)) || is_prose(path)) {
            return None;
        }
        differing.push(path);
    }
    Some(differing)
}

fn same(one: &Path, other: &Path) -> bool {
    let length = |path: &Path| fs::metadata(path).map(|data| data.len()).ok();
    length(one) == length(other) && matches!((fs::read(one), fs::read(other)), (Ok(one), Ok(other)) if one == other)
}

/// Whether a file is written for people only, by its name.
fn is_prose(path: &str) -> bool {
    let name = name(path);
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_list = ["CHANGES", "CHANGELOG", "NEWS", "README", "AUTHORS", "THANKS", "CREDITS", "TODO", "HISTORY"]
        .contains(&stem.to_ascii_uppercase().as_str());
    is_list || ["md", "rst", "html", "adoc", "po"].contains(&ending)
}

/// Adds to a copy what was made for the other tree.
fn add_made(configured: &Path, original: &Tree, copy: &Path) -> io::Result<()> {
    let all = Tree::walk(configured);
    for path in all.files() {
        let (from, to) = (configured.join(path), copy.join(path));
        if original.has(path) && same(&from, &original.root().join(path)) {
            continue;
        }
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(from, to)?;
    }
    Ok(())
}
