//! The source files that a tree's build files name: what is said to be compiled, without running any build.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::walk::{Bounds, read};

/// A build file larger than this is a listing of something else.
const BOUND: u64 = 1024 * 1024;

/// The sources that build files speak of as compiled.
#[derive(Debug, Default)]
pub struct Built {
    /// By name, the folders of the build files that speak of it.
    folders: HashMap<OsString, Vec<PathBuf>>,
}

impl Built {
    /// Reads a tree's build files. Lists of what is merely shipped do not count.
    pub fn read(root: &Path, paths: &[PathBuf]) -> Self {
        let bounds = Bounds { file_bytes: BOUND, ..Bounds::default() };
        let files: Vec<&PathBuf> = paths.iter().filter(|path| is_build_file(path)).collect();
        // A build file that cannot be read names nothing.
        let named: Vec<(&PathBuf, HashSet<OsString>)> = files
            .into_par_iter()
            .filter_map(|path| Some((path, names_in(&String::from_utf8_lossy(&read(root, path, &bounds).ok()?)))))
            .collect();
        let mut built = Self::default();
        for (path, names) in named {
            for name in names {
                let folder = path.parent().unwrap_or(Path::new(""));
                built.folders.entry(name).or_default().push(folder.to_owned());
            }
        }
        built
    }

    /// Whether a build file beside or above a source names it.
    pub fn names(&self, path: &Path) -> bool {
        let folders = path.file_name().and_then(|name| self.folders.get(name));
        folders.is_some_and(|folders| folders.iter().any(|folder| path.starts_with(folder)))
    }
}

fn is_build_file(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let name = name.to_ascii_lowercase();
    let starts = ["makefile", "gnumakefile", "cmakelists.txt", "meson.build", "build.", "sconstruct", "sconscript"];
    let ends = [".am", ".mk", ".cmake", ".bazel", ".gn", ".gni", ".gyp", ".pro", ".vcxproj"];
    name == "build" || starts.iter().any(|start| name.starts_with(start)) || ends.iter().any(|end| name.ends_with(end))
}

/// The sources in a build file: `a.c` in a list, or `a.o`.
fn names_in(text: &str) -> HashSet<OsString> {
    let mut found = HashSet::new();
    let joined = text.replace("\\\r\n", " ").replace("\\\n", " ");
    for line in joined.lines().filter(|line| !is_shipped_only(line)) {
        for word in line.split(|character: char| !character.is_ascii_alphanumeric() && !"_-+.".contains(character)) {
            let Some((stem, ending)) = word.rsplit_once('.') else { continue };
            match ending {
                "c" | "cc" | "cpp" | "cxx" | "C" => drop(found.insert(word.into())),
                "o" | "lo" | "obj" => {
                    found.extend(["c", "cc", "cpp", "cxx"].map(|ending| format!("{stem}.{ending}").into()));
                }
                _ => {}
            }
        }
    }
    found
}

/// Whether a line lists what belongs in an archive, or is a comment.
fn is_shipped_only(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('#')
        || line.starts_with("EXTRA_DIST")
        || line.split_once('=').is_some_and(|(name, _)| name.contains("EXTRA_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_and_objects_are_named_and_shipped_files_are_not() {
        let text = "a_SOURCES = x/a.c b.cpp \\\n  c.c\n# d.c\nEXTRA_DIST = e.c \\\n f.c\nOBJECTS=g.lo\nadd_library(h \"src/h.cc\")";
        let found = names_in(text);
        for name in ["a.c", "b.cpp", "c.c", "g.c", "h.cc"] {
            assert!(found.contains(&OsString::from(name)), "{name}");
        }
        for name in ["d.c", "e.c", "f.c"] {
            assert!(!found.contains(&OsString::from(name)), "{name}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_can_fail_it(text: String) {
            let _ = names_in(&text);
        }
    }
}
