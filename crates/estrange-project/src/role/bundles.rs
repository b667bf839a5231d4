//! Copies of other projects inside a tree, and whether the tree's root is a C or C++ project at all.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{Assigned, Role};
use crate::files::{Kind, Listing};
use crate::licence::{is_licence_file, read_text};
use crate::named_role::{folder_role, holds_sources, is_weak};

/// The marks of other projects in a tree.
pub struct Bundles {
    /// Whether the root builds C or C++ itself, as its build files and the place of its sources show.
    pub root_is_project: bool,
    /// Git submodules.
    submodules: BTreeSet<PathBuf>,
    /// The copyright holders that a folder's licence files name.
    holders: BTreeMap<PathBuf, BTreeSet<String>>,
    /// Folders that look like a project's root: a licence, or a read-me beside a build file.
    projects: BTreeSet<PathBuf>,
}

impl Bundles {
    /// Reads the marks of a tree.
    pub fn find(root: &Path, listing: &Listing) -> Self {
        let mut holders: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
        let (mut readmes, mut builds) = (BTreeSet::new(), BTreeSet::new());
        let mut wraps = false;
        for path in &listing.others {
            let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
                continue;
            };
            if is_licence_file(name) {
                let named = holders_in(&read_text(&root.join(path)));
                holders.entry(folder.to_owned()).or_default().extend(named);
            } else if name.to_ascii_lowercase().starts_with("readme") {
                readmes.insert(folder.to_owned());
            } else if is_build_file(name) {
                builds.insert(folder.to_owned());
            }
            wraps = wraps || path == Path::new("Cargo.toml");
        }
        let at_root = |path: &Path| path.parent() == Some(Path::new(""));
        let sources = listing.files.iter().any(|file| file.kind != Kind::Header && at_root(&file.path));
        let root_is_project = builds.contains(Path::new("")) || sources || !wraps;
        let mut projects: BTreeSet<PathBuf> = readmes.intersection(&builds).chain(holders.keys()).cloned().collect();
        projects.remove(Path::new(""));
        let submodules = submodules_in(&read_text(&root.join(".gitmodules")));
        Self { root_is_project, submodules, holders, projects }
    }

    /// The role that a file's place gives it. `path` is relative to `below`, the root of the project it belongs to.
    pub fn by_place(&self, below: &Path, path: &Path) -> Option<Assigned> {
        if below.as_os_str().is_empty() && path.starts_with("debian") {
            return Some(Assigned::new(Role::Packaging, "in debian/"));
        }
        let mut folder = below.to_owned();
        let mut in_sources = false;
        for part in path.parent()?.components() {
            folder.push(part);
            let name = part.as_os_str().to_str().unwrap_or_default();
            if self.submodules.contains(&folder) {
                return Some(Assigned::new(Role::Vendored, format!("{} is a git submodule", folder.display())));
            }
            match folder_role(name) {
                Some(_) if in_sources && is_weak(name) => {}
                Some(role) => return Some(Assigned::new(role, format!("in {}/", folder.display()))),
                None => {}
            }
            if self.is_by_others(&folder, below) {
                let reason = format!("{}/ has a licence of its own by others", folder.display());
                return Some(Assigned::new(Role::Vendored, reason));
            }
            in_sources = in_sources || holds_sources(name);
        }
        None
    }

    /// Whether a folder's licence files name copyright holders, and none whom those of its project's root name.
    fn is_by_others(&self, folder: &Path, project: &Path) -> bool {
        match (self.holders.get(folder), self.holders.get(project)) {
            (Some(its), Some(ours)) => !its.is_empty() && !ours.is_empty() && its.is_disjoint(ours),
            _ => false,
        }
    }

    /// The outermost folder on a path that is another project's root: one that looks like it, or the one within a
    /// folder named for copies.
    pub fn outermost<'a>(&self, path: &'a Path) -> Option<&'a Path> {
        let mut folders: Vec<&Path> = path.ancestors().skip(1).collect();
        folders.reverse();
        let is_named = |folder: &Path| {
            folder.file_name().and_then(|name| name.to_str()).and_then(folder_role) == Some(Role::Vendored)
        };
        let mut best = None;
        for folder in folders {
            if self.projects.contains(folder) || self.submodules.contains(folder) {
                return Some(folder);
            }
            if is_named(folder) {
                best = Some(folder);
            } else if best.is_some() {
                break;
            }
        }
        best
    }
}

/// Whether a file's name is that of a build description for C or C++.
#[rustfmt::skip]
fn is_build_file(name: &str) -> bool {
    matches!(
        name,
        "CMakeLists.txt" | "meson.build" | "configure" | "configure.ac" | "configure.in" | "Makefile.am" | "Makefile.in"
            | "Makefile" | "makefile" | "GNUmakefile" | "SConstruct" | "wscript" | "BUILD" | "BUILD.bazel" | "xmake.lua"
            | "premake5.lua" | "autogen.sh"
    )
}

/// The names in a licence text's copyright lines, word by word. Dates, legal forms and the holders of the licence
/// texts themselves do not count.
fn holders_in(text: &str) -> BTreeSet<String> {
    const NOT_NAMES: [&str; 15] = [
        "the",
        "and",
        "all",
        "rights",
        "reserved",
        "inc",
        "ltd",
        "llc",
        "corp",
        "present",
        "others",
        "contributors",
        "authors",
        "project",
        "copyright",
    ];
    let mut found = BTreeSet::new();
    for line in text.lines() {
        let lower = line.to_lowercase();
        let Some((_, rest)) = lower.split_once("copyright") else { continue };
        if !rest.contains(|character: char| character.is_ascii_digit()) || rest.contains("free software foundation") {
            continue;
        }
        let words = rest.split(|character: char| !character.is_alphabetic() && !"@.".contains(character));
        let is_name = |word: &&str| word.len() > 2 && !word.contains(['@', '.']) && !NOT_NAMES.contains(word);
        found.extend(words.filter(is_name).map(str::to_owned));
    }
    found
}

fn submodules_in(gitmodules: &str) -> BTreeSet<PathBuf> {
    let paths = gitmodules.lines().filter_map(|line| line.trim().strip_prefix("path"));
    paths.filter_map(|rest| rest.trim_start().strip_prefix('=')).map(|path| PathBuf::from(path.trim())).collect()
}
