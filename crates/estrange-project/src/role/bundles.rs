//! Copies of other projects inside a tree, and whether the tree's root is a C or C++ project at all.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::signs::folder_role;
use super::{Assigned, Role};
use crate::files::Listing;
use crate::licence::is_licence_file;

/// The marks of other projects in a tree.
pub struct Bundles {
    /// Whether the root builds C or C++ itself, as its build files and the place of its sources show.
    pub root_is_project: bool,
    /// Git submodules.
    submodules: BTreeSet<PathBuf>,
    /// Folders with a licence of other copyright holders than the root's.
    foreign: BTreeSet<PathBuf>,
    /// Folders that look like a project's root: a licence, or a read-me beside a build file.
    projects: BTreeSet<PathBuf>,
}

impl Bundles {
    pub fn find(root: &Path, listing: &Listing) -> Self {
        let root_files: Vec<&str> =
            listing.others.iter().filter(|path| is_in(path, "")).filter_map(|path| path.to_str()).collect();
        let sources_at_root =
            listing.files.iter().any(|file| is_in(&file.path, "") && file.kind != crate::files::Kind::Header);
        let wraps = root_files.contains(&"Cargo.toml");
        let builds = root_files.iter().any(|name| is_build_file(name));
        let projects = project_folders(listing);
        let foreign = foreign_folders(root, listing);
        let submodules = submodules(&read_some(&root.join(".gitmodules")));
        Self { root_is_project: builds || sources_at_root || !wraps, submodules, foreign, projects }
    }

    /// The role that a file's place gives it. `path` is relative to `below`, the root of the library it belongs to.
    pub fn by_place(&self, below: &Path, path: &Path) -> Option<Assigned> {
        if below.as_os_str().is_empty() && path.starts_with("debian") {
            return Some(Assigned::new(Role::Packaging, "in debian/"));
        }
        let mut folder = below.to_owned();
        for part in path.parent()?.components() {
            folder.push(part);
            if self.submodules.contains(&folder) {
                return Some(Assigned::new(Role::Vendored, format!("{} is a git submodule", folder.display())));
            }
            if let Some(role) = part.as_os_str().to_str().and_then(folder_role) {
                return Some(Assigned::new(role, format!("in {}/", folder.display())));
            }
            if self.foreign.contains(&folder) {
                let reason = format!("{}/ has a licence of its own by others", folder.display());
                return Some(Assigned::new(Role::Vendored, reason));
            }
        }
        None
    }

    /// The outermost folder on a path that is another project's root: a folder within one named for copies, or one
    /// that looks like a project.
    pub fn outermost<'a>(&self, path: &'a Path) -> Option<&'a Path> {
        let mut folders: Vec<&Path> =
            path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()).collect();
        folders.reverse();
        let named = |folder: &Path| {
            folder.file_name().and_then(|name| name.to_str()).and_then(folder_role) == Some(Role::Vendored)
        };
        let known = |folder: &Path| self.projects.contains(folder) || self.submodules.contains(folder);
        let mut best = None;
        for folder in folders {
            if known(folder) {
                return Some(folder);
            }
            if named(folder) {
                best = Some(folder);
            } else if best.is_some() {
                break;
            }
        }
        best
    }
}

fn is_in(path: &Path, folder: &str) -> bool {
    path.parent() == Some(Path::new(folder))
}

/// Whether a file's name is that of a build description for C or C++.
fn is_build_file(name: &str) -> bool {
    matches!(
        name,
        "CMakeLists.txt"
            | "meson.build"
            | "configure"
            | "configure.ac"
            | "configure.in"
            | "Makefile.am"
            | "Makefile.in"
            | "Makefile"
            | "makefile"
            | "GNUmakefile"
            | "SConstruct"
            | "wscript"
            | "BUILD"
            | "BUILD.bazel"
            | "xmake.lua"
            | "premake5.lua"
            | "Makefile.PL"
            | "autogen.sh"
    )
}

/// Folders that hold what a project's root holds: a licence and a read-me, or either beside a build file.
fn project_folders(listing: &Listing) -> BTreeSet<PathBuf> {
    let (mut licences, mut readmes, mut builds) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for path in &listing.others {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
            continue;
        };
        if is_licence_file(name) {
            licences.insert(folder.to_owned());
        } else if name.to_ascii_lowercase().starts_with("readme") {
            readmes.insert(folder.to_owned());
        } else if is_build_file(name) {
            builds.insert(folder.to_owned());
        }
    }
    let with_readme = licences.intersection(&readmes).cloned();
    let with_build = licences.union(&readmes).filter(|folder| builds.contains(*folder)).cloned();
    with_readme.chain(with_build).filter(|folder| !folder.as_os_str().is_empty()).collect()
}

/// Folders whose licence files name copyright holders, none of whom the root's licence files name.
fn foreign_folders(root: &Path, listing: &Listing) -> BTreeSet<PathBuf> {
    let mut holders_of = std::collections::BTreeMap::<&Path, BTreeSet<String>>::new();
    for path in &listing.others {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
            continue;
        };
        if is_licence_file(name) {
            holders_of.entry(folder).or_default().extend(holders(&read_some(&root.join(path))));
        }
    }
    let own = holders_of.remove(Path::new("")).unwrap_or_default();
    if own.is_empty() {
        return BTreeSet::new();
    }
    let foreign = |(_, holders): &(&Path, BTreeSet<String>)| !holders.is_empty() && holders.is_disjoint(&own);
    holders_of.into_iter().filter(foreign).map(|(folder, _)| folder.to_owned()).collect()
}

/// The surnames (last words) of those whom a licence text's copyright lines name. The holders of the licence texts
/// themselves do not count.
fn holders(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in text.lines() {
        let lower = line.to_ascii_lowercase();
        let Some(at) = lower.find("copyright") else { continue };
        let rest = &lower[at + "copyright".len()..];
        if !rest.contains(|character: char| character.is_ascii_digit()) || rest.contains("free software foundation") {
            continue;
        }
        let words = rest.split(|character: char| !character.is_alphabetic() && character != '.' && character != '@');
        let is_name = |word: &&str| {
            word.len() > 2
                && !word.contains(['@', '.'])
                && !matches!(
                    *word,
                    "the"
                        | "and"
                        | "all"
                        | "rights"
                        | "reserved"
                        | "inc"
                        | "ltd"
                        | "llc"
                        | "corp"
                        | "present"
                        | "others"
                        | "contributors"
                        | "authors"
                        | "project"
                )
        };
        found.extend(words.filter(is_name).map(str::to_owned));
    }
    found
}

fn submodules(gitmodules: &str) -> BTreeSet<PathBuf> {
    let paths = gitmodules.lines().filter_map(|line| line.trim().strip_prefix("path"));
    paths.filter_map(|rest| rest.trim_start().strip_prefix('=')).map(|path| PathBuf::from(path.trim())).collect()
}

/// The start of a small text file, or nothing. A link is not followed.
fn read_some(path: &Path) -> String {
    const BOUND: u64 = 256 * 1024;
    let mut bytes = Vec::new();
    if fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
        && let Ok(file) = fs::File::open(path)
    {
        // An unreadable file leaves what was read: it is evidence only if it says something.
        let _ = file.take(BOUND).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
