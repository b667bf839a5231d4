//! What includes tell: which file an `#include` names, which files are fragments, and the language of a header.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use estrange_words::Language;

use super::build_files::Built;
use super::{Facts, File, Include, Kind};
use crate::named_role::is_test_path;

/// A tree's files by name, to resolve includes with.
pub struct Names<'a> {
    paths: &'a [PathBuf],
    by_name: HashMap<&'a OsStr, Vec<usize>>,
}

impl<'a> Names<'a> {
    /// Of these paths, which must be sorted.
    pub fn of(paths: &'a [PathBuf]) -> Self {
        let mut by_name: HashMap<&OsStr, Vec<usize>> = HashMap::new();
        for (at, path) in paths.iter().enumerate() {
            by_name.entry(path.file_name().unwrap_or_default()).or_default().push(at);
        }
        Self { paths, by_name }
    }

    /// The file that an include in `from` most likely means: the one beside the includer if it is in quotes, else the
    /// only or the nearest one whose path ends with the name. `<format>` is the C++ library's, never a file's.
    pub fn resolve(&self, from: &Path, include: &Include) -> Option<usize> {
        let name = Path::new(&include.name);
        if !include.quoted && name.extension().is_none() {
            return None;
        }
        let folder = from.parent().unwrap_or(Path::new(""));
        if include.quoted
            && let Some(beside) = normalize(&folder.join(name))
            && let Ok(at) = self.paths.binary_search(&beside)
        {
            return Some(at);
        }
        let tail: PathBuf = name.components().filter(|part| matches!(part, Component::Normal(_))).collect();
        let candidates = self.by_name.get(tail.file_name()?)?.iter().copied();
        candidates.filter(|&at| self.paths[at].ends_with(&tail)).max_by_key(|&at| {
            let shared = self.paths[at].components().zip(folder.components()).take_while(|(a, b)| a == b).count();
            (shared, std::cmp::Reverse(at))
        })
    }
}

/// The path without `.` and `..`, if it stays within the tree.
fn normalize(path: &Path) -> Option<PathBuf> {
    let mut parts: Vec<OsString> = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(name.to_owned()),
            Component::ParentDir => drop(parts.pop()?),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts.iter().collect())
}

/// Turns units that only live inside others into fragments. A test that includes the source under test proves
/// nothing, and neither does an include of a file that stands by itself: it includes its own header, or the build
/// files name it, whatever else may gather all sources into one.
pub fn tell_fragments(files: &mut [File], built: &Built) {
    let stands_by_itself =
        |file: &File| file.facts.starts_program || includes_own_header(file) || built.names(&file.path);
    let fragments: Vec<usize> = (0..files.len())
        .filter(|&at| files[at].kind == Kind::Unit && !stands_by_itself(&files[at]))
        .filter(|&at| files[at].included_by.iter().any(|&by| !is_test_path(&files[by].path)))
        .collect();
    for at in fragments {
        files[at].kind = Kind::Fragment;
    }
}

fn includes_own_header(file: &File) -> bool {
    let stem = file.path.file_stem();
    file.facts.includes.iter().any(|include| {
        let name = Path::new(&include.name);
        name.file_stem() == stem && name.extension().is_some_and(|ending| ending.as_encoded_bytes().starts_with(b"h"))
    })
}

/// Gives headers and fragments their language; `by_ending` says whose is already clear.
pub fn tell_languages(files: &mut [File], by_ending: &[Option<Language>]) {
    let known: Vec<Option<Language>> =
        files.iter().zip(by_ending).map(|(file, ending)| ending.or_else(|| own_language(&file.facts))).collect();
    let mut reached = vec![None; files.len()];
    let mut includes: Vec<Vec<usize>> = vec![Vec::new(); files.len()];
    for (at, file) in files.iter().enumerate() {
        for &by in &file.included_by {
            includes[by].push(at);
        }
    }
    // C first and C++ after it, so that what both reach stays C.
    for language in [Language::C, Language::Cpp] {
        let mut waiting: Vec<usize> =
            (0..files.len()).filter(|&at| files[at].kind == Kind::Unit && known[at] == Some(language)).collect();
        while let Some(at) = waiting.pop() {
            for &to in &includes[at] {
                if reached[to].is_none() && known[to].is_none() {
                    reached[to] = Some(language);
                    waiting.push(to);
                }
            }
        }
    }
    let decided: Vec<Option<Language>> =
        known.iter().zip(&reached).map(|(known, reached)| known.or(*reached)).collect();
    let fallback = majority(files, &decided);
    for (at, file) in files.iter_mut().enumerate() {
        let neighbours = || fallback.get(file.path.parent().unwrap_or(Path::new(""))).copied();
        let everywhere = || fallback.get(Path::new("/")).copied();
        file.language = decided[at].or_else(neighbours).or_else(everywhere).unwrap_or(Language::C);
    }
}

/// What a file's content says by itself. A header with `extern "C"` guards was written for C.
fn own_language(facts: &Facts) -> Option<Language> {
    match (facts.needs_cpp, facts.serves_both) {
        (true, _) => Some(Language::Cpp),
        (false, true) => Some(Language::C),
        (false, false) => None,
    }
}

/// The most frequent language of each folder's decided files, and of all under `/`; C where they are level.
fn majority(files: &[File], decided: &[Option<Language>]) -> HashMap<PathBuf, Language> {
    let mut balance: HashMap<PathBuf, i64> = HashMap::new();
    for (file, language) in files.iter().zip(decided) {
        let Some(language) = language else { continue };
        let vote = if *language == Language::Cpp { 1 } else { -1 };
        for folder in [file.path.parent().unwrap_or(Path::new("")), Path::new("/")] {
            *balance.entry(folder.to_owned()).or_default() += vote;
        }
    }
    let language = |balance| if balance > 0 { Language::Cpp } else { Language::C };
    balance.into_iter().map(|(folder, balance)| (folder, language(balance))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(paths: &[&str], from: &str, name: &str, quoted: bool) -> Option<String> {
        let mut paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        paths.sort();
        let include = Include { name: name.into(), quoted };
        Names::of(&paths).resolve(Path::new(from), &include).map(|at| paths[at].display().to_string())
    }

    #[test]
    fn an_include_means_the_file_beside_it_first() {
        let paths = ["src/a.h", "include/a.h", "src/x/a.h"];
        assert_eq!(resolved(&paths, "src/x/b.c", "a.h", true).unwrap(), "src/x/a.h");
        assert_eq!(resolved(&paths, "src/x/b.c", "../a.h", true).unwrap(), "src/a.h");
        assert_eq!(resolved(&paths, "lib/b.c", "include/a.h", false).unwrap(), "include/a.h");
        assert_eq!(resolved(&paths, "lib/b.c", "other.h", true), None);
        assert_eq!(resolved(&["source/format"], "b.cc", "format", false), None);
    }

    #[test]
    fn a_name_that_leaves_the_tree_resolves_by_its_tail_or_not_at_all() {
        assert_eq!(resolved(&["inc/a.h"], "src/b.c", "../../../inc/a.h", true).unwrap(), "inc/a.h");
        assert_eq!(resolved(&["inc/a.h"], "src/b.c", "/etc/passwd", true), None);
        assert_eq!(resolved(&["inc/a.h"], "src/b.c", "..", true), None);
    }
}
