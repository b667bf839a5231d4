//! A file with all that it includes as one text, kept by what it depends on.
//!
//! A text is kept under the whole tree that it is from. Another state of that tree has the same text, too, where the files
//! that it is made of are the same and no other file has come or gone that an `#include` could find in their place: then
//! nothing is read again.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use estrange_project::flags::Flags;
use estrange_project::{SourceFile, installed_headers};
use estrange_store::KeyHasher;
use estrange_unit::{Flat, FlattenLoss, flatten, normal_path};
use serde::{Deserialize, Serialize};

use crate::error::BuildError;
use crate::origin::Origin;
use crate::store::{Keep, Store, key};
use crate::tools::Tools;
use crate::translate::{Kept, TREE, without_root};

/// Raise it when the same file may be read differently.
const FLATTENING: &str = "flat 3";

/// So many states of a file are remembered.
const STATES: usize = 8;

/// A state of a file of which the text is kept.
#[derive(Serialize, Deserialize)]
struct Sighting {
    /// The project's files that the text is made of.
    made_of: Vec<PathBuf>,
    /// Stands for what they say, and for all files that have their names.
    stands_for: String,
    /// What the text is kept under.
    kept_as: String,
}

/// The files of a tree as `#include` finds them: by name, with what they say.
#[derive(Default)]
pub(crate) struct Contents {
    by_name: OnceLock<HashMap<OsString, BTreeSet<PathBuf>>>,
    hashes: Mutex<BTreeMap<PathBuf, Option<blake3::Hash>>>,
}

/// A file with all that it includes.
pub(crate) fn flattened(
    origin: &Origin,
    file: &SourceFile,
    flags: &Flags,
    tools: &Tools,
    store: &Store,
) -> Result<Kept<Flat>, BuildError> {
    let root = &origin.project.root;
    let mut moved = flags.clone();
    moved.relocate(root, Path::new(TREE));
    let compiled = format!("{:?} {:?}", moved.command_line(), moved.directory);
    let (path, versions) = (file.path.to_string_lossy(), tools.key());
    let parts = [&*path, &compiled, &versions, installed_headers()].map(str::as_bytes);
    let [whole, any] =
        [&origin.project.key, "any tree"].map(|tree| key(FLATTENING, &[&[tree.as_bytes()], &parts[..]].concat()));
    let kept = match store.get(&whole) {
        Some(kept) => kept,
        None => match seen_before(origin, &any, store) {
            Some(kept) => kept,
            None => {
                let (kept, keep) = read(origin, file, flags, tools);
                if keep == Keep::Yes {
                    store.put(&whole, &kept)?;
                }
                if let Kept::Done(flat) = &kept {
                    remember(origin, flags, flat, (&any, whole), store)?;
                }
                kept
            }
        },
    };
    Ok(match kept {
        Kept::Done(mut flat) => {
            replace_folder(&mut flat, Path::new(TREE), root);
            Kept::Done(flat)
        }
        lost @ Kept::Lost { .. } => lost,
    })
}

fn read(origin: &Origin, file: &SourceFile, flags: &Flags, tools: &Tools) -> (Kept<Flat>, Keep) {
    let root = &origin.project.root;
    let workshop = origin.shown_in(&tools.workshop);
    let folders = tools.folders(flags.language);
    match flatten(&workshop, &root.join(&file.path), &flags.command_line(), &flags.directory, folders) {
        Ok(flat) => (Kept::Done(in_any_tree(&flat, root)), Keep::Yes),
        Err(loss) => {
            use FlattenLoss::{NoCompiler, OverMemory, TimedOut};
            let by_chance = matches!(loss, TimedOut(_) | OverMemory(_) | NoCompiler(_));
            let keep = if by_chance { Keep::No } else { Keep::Yes };
            let detail = without_root(&loss.to_string(), root);
            (Kept::Lost { reason: loss.reason(), detail }, keep)
        }
    }
}

/// The text of a file whose like was read in another state of the tree.
fn seen_before(origin: &Origin, any: &str, store: &Store) -> Option<Kept<Flat>> {
    let sightings: Vec<Sighting> = store.get(any)?;
    let is_same = |sighting: &&Sighting| {
        origin.contents.stand_for(&sighting.made_of, &origin.project.root).as_ref() == Some(&sighting.stands_for)
    };
    store.get(&sightings.iter().find(is_same)?.kept_as)
}

/// Keeps what a text is made of, so that another state of the tree can tell whether it has the same.
fn remember(
    origin: &Origin,
    flags: &Flags,
    flat: &Flat,
    (any, kept_as): (&str, String),
    store: &Store,
) -> Result<(), BuildError> {
    // Files that macros are taken from are in no text.
    if flags.arguments.iter().any(|word| word.starts_with("-imacros") || word.starts_with('@')) {
        return Ok(());
    }
    let root = &origin.project.root;
    let inside = |file: &PathBuf| {
        let whole = match file.strip_prefix(TREE) {
            Ok(inside) => root.join(inside),
            Err(_) => normal_path(&flags.directory.join(file)),
        };
        whole.strip_prefix(root).map(Path::to_owned).ok()
    };
    let made_of: Vec<PathBuf> = flat.files.iter().filter_map(inside).collect();
    if let Some(stands_for) = origin.contents.stand_for(&made_of, root) {
        let mut sightings: Vec<Sighting> = store.get(any).unwrap_or_default();
        sightings.insert(0, Sighting { made_of, stands_for, kept_as });
        sightings.truncate(STATES);
        store.put(any, &sightings)?;
    }
    Ok(())
}

impl Contents {
    /// Stands for what some files of a tree say and for all files that have their names; nothing where one of them asks
    /// which files there are, or cannot be read.
    fn stand_for(&self, files: &[PathBuf], root: &Path) -> Option<String> {
        let by_name = self.by_name.get_or_init(|| by_name(root));
        let mut all = KeyHasher::new("files");
        for file in files {
            all.add(file.as_os_str().as_encoded_bytes());
            all.add(self.hash(file, root)?.as_bytes());
            for namesake in by_name.get(file.file_name()?).into_iter().flatten() {
                all.add(namesake.as_os_str().as_encoded_bytes());
            }
        }
        Some(all.finish())
    }

    fn hash(&self, file: &Path, root: &Path) -> Option<blake3::Hash> {
        let mut hashes = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = hashes.get(file) {
            return *known;
        }
        let text = fs::read(root.join(file)).ok();
        let asks = |text: &[u8]| text.windows(ASKS.len()).any(|words| words == ASKS);
        let hash = text.filter(|text| !asks(text)).map(|text| blake3::hash(&text));
        hashes.insert(file.to_owned(), hash);
        hash
    }
}

/// A file that says this depends on files that it does not include.
const ASKS: &[u8] = b"__has_include";

fn by_name(root: &Path) -> HashMap<OsString, BTreeSet<PathBuf>> {
    let mut names: HashMap<OsString, BTreeSet<PathBuf>> = HashMap::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).into_iter().flatten().flatten() {
            let path = folder.join(entry.file_name());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && entry.file_name() != OsStr::new(".git") => folders.push(path),
                Ok(kind) if !kind.is_dir() => {
                    names.entry(entry.file_name()).or_default().insert(path);
                }
                _ => {}
            }
        }
    }
    names
}

/// A flattened text that does not say where its tree lies.
pub(crate) fn in_any_tree(flat: &Flat, root: &Path) -> Flat {
    let mut flat = flat.clone();
    replace_folder(&mut flat, root, Path::new(TREE));
    flat
}

fn replace_folder(flat: &mut Flat, from: &Path, to: &Path) {
    for file in &mut flat.files {
        if let Ok(inside) = file.strip_prefix(from) {
            *file = to.join(inside);
        }
    }
}
