//! The flags to compile each file of a tree with, how they were obtained, and the tree to compile it in.
//!
//! Flags come from the first of these that has any: a compile database that came with the tree; the project's own
//! configure step, run in the sandbox; the flags of a neighbour; inference from the tree's text. What a configure step
//! gives is checked by the preprocessor, and where it refuses files, the tree's other build systems are asked too.
//! Building may need headers that the tree does not have; where some were made, [`FlagsReport::root`] is a copy of the
//! tree with them.

mod alike;
mod build_files;
mod configure;
mod database;
mod defines;
mod facts;
mod includes;
mod infer;
mod neighbour;
mod normalise;
mod paths;
mod preprocess;
mod store;
mod system;
mod template;
mod trace;
mod tree;
mod understood;
mod words;

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use estrange_sandbox::Sandbox;
use serde::{Deserialize, Serialize};

use crate::files::Kind;
pub use alike::Earlier;
use estrange_words::Language;
use infer::{Inference, Task};
use neighbour::Neighbours;
use normalise::{Call, normalise};
use preprocess::Offers;
use store::Store;
use system::System;
use tree::Tree;
use understood::Understood;

/// A file that flags are wanted for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Its path, relative to the tree.
    pub path: PathBuf,
    /// Its language, as far as the file alone tells.
    pub language: Language,
    /// How it takes part in a build; builds have flags for units only.
    pub kind: Kind,
}

/// Whether the project's own configure step may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Configure {
    /// It runs, in the sandbox, unless the tree has a compile database.
    #[default]
    Auto,
    /// It does not run: flags are inferred.
    Never,
}

/// How to go about it.
#[derive(Debug, Clone)]
pub struct FlagOptions {
    /// Whether the configure step may run.
    pub configure: Configure,
    /// The time that all attempts at configure steps may take together; no single one takes more than half of it.
    pub wall: Duration,
    /// The folder where results and configured trees are kept.
    pub cache: PathBuf,
    /// Another state of the project. A tree that differs from it in code alone takes over its flags.
    pub earlier: Option<Earlier>,
}

/// How a file's flags were obtained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FlagOrigin {
    /// From a compile database that came with the tree.
    Database,
    /// From the project's CMake step.
    Cmake,
    /// From the project's Meson step.
    Meson,
    /// From its autoconf-made configure script and Makefiles.
    Autotools,
    /// From a configure script of its own and Makefiles.
    Configure,
    /// From its Makefiles alone.
    Make,
    /// Taken over from the nearest file that has flags.
    Neighbour,
    /// Inferred from the tree's text.
    Inferred,
}

impl fmt::Display for FlagOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FlagOrigin::Database => "database",
            FlagOrigin::Cmake => "cmake",
            FlagOrigin::Meson => "meson",
            FlagOrigin::Autotools => "autotools",
            FlagOrigin::Configure => "configure",
            FlagOrigin::Make => "make",
            FlagOrigin::Neighbour => "neighbour",
            FlagOrigin::Inferred => "inferred",
        })
    }
}

/// The flags of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flags {
    /// The language it is compiled as.
    pub language: Language,
    /// The value for `-std`, unless the compiler's default is meant.
    pub standard: Option<String>,
    /// The other arguments, each a single word; paths are absolute.
    pub arguments: Vec<String>,
    /// The folder to compile in.
    pub directory: PathBuf,
    /// How they were obtained.
    pub origin: FlagOrigin,
    /// Headers that it includes under no condition and that neither the tree nor this machine has: with any flags,
    /// it cannot be parsed here. Most often it is for another system.
    pub unavailable: Vec<String>,
}

impl Flags {
    /// Whether the file is not for this machine: the project's own build worked here and left it out, and it includes
    /// headers that neither the tree nor the machine has.
    pub fn is_elsewhere(&self) -> bool {
        self.origin == FlagOrigin::Neighbour && !self.unavailable.is_empty()
    }

    /// The arguments for gcc or clang, language and standard included; the file itself and what to make of it are not.
    pub fn command_line(&self) -> Vec<String> {
        let standard = self.standard.as_ref().map(|standard| format!("-std={standard}"));
        [self.language.flag().to_owned()].into_iter().chain(standard).chain(self.arguments.iter().cloned()).collect()
    }
}

impl Flags {
    /// The folder to compile in: the one that is said, if the tree has it.
    pub(crate) fn directory_in<'a>(&'a self, root: &'a Path) -> &'a Path {
        if self.directory.starts_with(root) && self.directory.is_dir() { &self.directory } else { root }
    }

    /// Replaces the folder `from` by `to` in every path.
    pub fn relocate(&mut self, from: &Path, to: &Path) {
        if let Ok(inside) = self.directory.strip_prefix(from) {
            self.directory = to.join(inside);
        }
        for argument in &mut self.arguments {
            *argument = database::relocate_text(argument, from, to);
        }
    }
}

/// One attempt at getting flags, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// What was tried.
    pub system: FlagOrigin,
    /// Whether it gave flags.
    pub success: bool,
    /// How it ended, in words.
    pub ended: String,
    /// What it found, or its last words.
    pub detail: String,
}

/// The flags of a tree's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlagsReport {
    /// Stands for all that the flags depend on: the tree's content, the options, the tools.
    pub key: String,
    /// The tree to compile in: the one given, or a copy with headers that had to be made.
    pub root: PathBuf,
    /// The flags by the path relative to the tree.
    pub files: BTreeMap<PathBuf, Flags>,
    /// What was tried, in order.
    pub attempts: Vec<Attempt>,
}

/// Why flags could not be looked for at all. A configure step that fails is no error: see [`Attempt`].
#[derive(Debug, thiserror::Error)]
pub enum FlagsError {
    /// The tree cannot be read.
    #[error("the source tree {} cannot be read: {source}", path.display())]
    Tree {
        /// The tree.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The cache folder cannot be used.
    #[error("the cache folder {} cannot be used: {source}", path.display())]
    Cache {
        /// The folder.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
}

impl From<estrange_store::StoreError> for FlagsError {
    fn from(error: estrange_store::StoreError) -> Self {
        FlagsError::Cache { path: error.path, source: error.source }
    }
}

/// Finds the flags for the `files` of the tree at `root`. `progress` is told in words what is being done.
pub fn obtain(
    root: &Path,
    files: &[SourceFile],
    options: &FlagOptions,
    sandbox: &Sandbox,
    progress: &dyn Fn(&str),
) -> Result<FlagsReport, FlagsError> {
    let unreadable = |source| FlagsError::Tree { path: root.to_owned(), source };
    let root = root.canonicalize().map_err(unreadable)?;
    let tree = Tree::walk(&root);
    let store = Store::open(&options.cache)?;
    if let Some(earlier) = &options.earlier
        && let Some(report) = alike::taken_over(&tree, files, earlier, &store)?
    {
        return Ok(report);
    }
    let key = store::key(&tree, files, options, sandbox).map_err(unreadable)?;
    if let Some(report) = store.load(&key, &root) {
        return Ok(report);
    }
    let made = store.begin()?;
    let found = search(tree, files, options, sandbox, made.path(), progress)?;
    // What time cut short is looked for again next time, and stands for itself alone.
    let key = if found.cut_short { store::passing_key(&key, made.path()) } else { key };
    store.keep(&key, made, found)?;
    let vanished = || FlagsError::Cache { path: options.cache.clone(), source: io::ErrorKind::NotFound.into() };
    store.load(&key, &root).ok_or_else(vanished)
}

/// What a search found: a report that is not kept yet.
struct Found {
    root: PathBuf,
    files: BTreeMap<PathBuf, Flags>,
    attempts: Vec<Attempt>,
    /// Whether time ran out on a configure step.
    cut_short: bool,
}

/// Looks for flags without the store; a tree with added headers is made in the folder `made`.
fn search(
    mut tree: Tree,
    files: &[SourceFile],
    options: &FlagOptions,
    sandbox: &Sandbox,
    made: &Path,
    progress: &dyn Fn(&str),
) -> Result<Found, FlagsError> {
    let unusable = |source| FlagsError::Cache { path: made.to_owned(), source };
    let mut attempts = Vec::new();
    let mut compiled = shipped(&tree, files, &mut attempts);
    let mut cut_short = false;
    if compiled.is_empty() && options.configure == Configure::Auto {
        let configured = configure::configure(&tree, files, sandbox, options.wall, made, &mut attempts, progress);
        let configured = configured.map_err(unusable)?;
        if let Some(root) = configured.root {
            tree = Tree::walk(&root);
        }
        compiled = configured.files;
        cut_short = configured.cut_short;
    }
    progress("inferring flags");
    let tree = complete(tree, files, &mut compiled);
    let mut root = tree.root().to_owned();
    if tree.made().next().is_some() {
        root = add_headers(&tree, made).map_err(unusable)?;
        compiled.values_mut().for_each(|flags| flags.relocate(tree.root(), &root));
    }
    Understood::new(sandbox, &root).purge(&mut compiled);
    Ok(Found { root, files: compiled, attempts, cut_short })
}

/// Gives flags to the files that have none, and what they miss to those of a database. The tree comes back with the
/// headers that this takes.
fn complete(tree: Tree, files: &[SourceFile], compiled: &mut BTreeMap<PathBuf, Flags>) -> Tree {
    let neighbours = Neighbours::new(&*compiled);
    let tasks: Vec<Task<'_>> = files
        .iter()
        .filter_map(|file| match compiled.get(&file.path) {
            // A database from another machine may speak of folders that are not here.
            Some(flags) if flags.origin == FlagOrigin::Database => Some(Task { file, start: Some(flags.clone()) }),
            Some(_) => None,
            None => Some(Task { file, start: neighbours.nearest(file) }),
        })
        .collect();
    let system = System::probe();
    let mut inference = Inference::new(tree, &system);
    if compiled.is_empty() {
        inference.make_stated();
    }
    let inferred = inference.infer(&tasks);
    compiled.extend(tasks.iter().map(|task| task.file.path.clone()).zip(inferred));
    inference.into_tree()
}

/// The flags of a compile database that came with the tree.
fn shipped(tree: &Tree, files: &[SourceFile], attempts: &mut Vec<Attempt>) -> BTreeMap<PathBuf, Flags> {
    let mut offers = Offers::new();
    for path in database::shipped(tree) {
        let host = tree.root().join(&path);
        let here = host.parent().unwrap_or(tree.root());
        let (success, ended, detail) = match database::read(&host) {
            Ok(database) => {
                let malformed = database.malformed;
                let mapped = database::map(database, here, tree);
                let used = mapped.calls.len();
                offer(&mapped.calls, FlagOrigin::Database, tree.root(), files, &mut offers);
                let detail = format!(
                    "{path}: {used} entries used, {} about files that are not here, {malformed} malformed",
                    mapped.absent
                );
                (used > 0, "was read".to_owned(), detail)
            }
            Err(error) => (false, "could not be read".to_owned(), format!("{path}: {error}")),
        };
        attempts.push(Attempt { system: FlagOrigin::Database, success, ended, detail });
    }
    offers.into_iter().filter_map(|(path, flags)| Some((path, flags.into_iter().next()?))).collect()
}

/// How many different flags one build may offer for a file that it compiles several times.
const OFFERED: usize = 2;

/// Adds the flags of a build's compiler calls, behind those that are there.
fn offer(calls: &[Call], origin: FlagOrigin, root: &Path, files: &[SourceFile], offers: &mut Offers) {
    let languages: HashMap<&Path, Language> = files.iter().map(|file| (file.path.as_path(), file.language)).collect();
    let mut offered: HashMap<PathBuf, usize> = HashMap::new();
    for call in calls {
        let Some(normal) = normalise(call) else { continue };
        for path in normal.files.iter().filter_map(|path| path.strip_prefix(root).ok()) {
            let Some(&language) = languages.get(path) else { continue };
            let flags = Flags {
                language: normal.language.unwrap_or(language),
                standard: normal.standard.clone(),
                arguments: normal.arguments.clone(),
                directory: call.directory.clone(),
                origin,
                unavailable: Vec::new(),
            };
            let count = offered.entry(path.to_owned()).or_default();
            let known = offers.entry(path.to_owned()).or_default();
            if *count < OFFERED && !known.contains(&flags) {
                *count += 1;
                known.push(flags);
            }
        }
    }
}

/// A copy of the tree, or the configured copy that is there already, with the headers that were made.
fn add_headers(tree: &Tree, made: &Path) -> io::Result<PathBuf> {
    let root = made.join("tree");
    if !tree.root().starts_with(made) {
        store::copy_tree(tree, &root)?;
    }
    for (path, text) in tree.made() {
        let target = root.join(path);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(target, text)?;
    }
    Ok(root)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Text made of the pieces that the readers look for, in any order, cut anywhere.
    fn scraps() -> impl Strategy<Value = String> {
        let pieces = [
            "#",
            "include",
            "<",
            ">",
            "\"",
            "'",
            "\\",
            "\n",
            " ",
            "@",
            "${",
            "}",
            "(",
            ")",
            "configure_file",
            "-D",
            "-I",
            "=",
            "HAVE_",
            "SIZEOF_",
            "_H",
            "undef",
            "cmakedefine01",
            "é",
            "project",
            "AC_INIT",
            "-std=",
            "if",
            "endif",
            "../",
            "1.2",
            "CMake Error at ",
            "Could NOT find ",
            "Cannot find source file:",
            "--without-",
            "a.c",
            "\u{0}",
            "[",
            "]",
            "{",
            ":",
        ];
        prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..60).prop_map(|scraps| scraps.concat())
    }

    proptest! {
        #[test]
        fn no_text_makes_a_reader_panic(text in scraps(), bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let folder = tempfile::tempdir().unwrap();
            for name in ["CMakeLists.txt", "configure.ac", "Makefile", "config.h.in", "compile_commands.json", "a.c"] {
                fs::write(folder.path().join(name), &text).unwrap();
            }
            fs::write(folder.path().join("b.c"), &bytes).unwrap();
            let unit = |name: &str| SourceFile { path: name.into(), language: Language::C, kind: Kind::Unit };
            let files = [unit("a.c"), unit("b.c")];
            let mut attempts = Vec::new();
            let tree = Tree::walk(folder.path());
            shipped(&tree, &files, &mut attempts);
            let system = System::default();
            let tasks: Vec<Task<'_>> = files.iter().map(|file| Task { file, start: None }).collect();
            let mut inference = Inference::new(tree, &system);
            inference.make_stated();
            prop_assert_eq!(inference.infer(&tasks).len(), 2);
            let call = Call { directory: "/".into(), words: words::split(&text), file: None };
            normalise(&call);
            trace::parse(&bytes);
            trace::parse(text.as_bytes());
        }
    }
}
