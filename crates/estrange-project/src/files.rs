//! Which files of a tree are C or C++, in which language, and which of them are compiled by themselves.
//!
//! The tree is untrusted: links are not followed, sizes, counts and depth are bounded, names and contents are bytes,
//! and whatever is passed over is recorded with a typed reason.
//!
//! A file belongs to the listing by its ending (`.c`, `.h`, `.cc`, `.hpp`, …) or, whatever its ending, because a file
//! of the listing includes it. What it is then follows from three questions:
//!
//! - **Kind.** A header by its ending; a *fragment* where only other files' `#include`s bring it to life; else a
//!   *unit*, compiled by itself.
//! - **Language.** By the ending where it is clear. A `.h` (or a fragment) that only C++ accepts is C++; otherwise it
//!   takes the language of the units that reach it through includes, C where both do; otherwise its neighbours'.
//! - **Includes.** `#include` names are resolved to files of the tree beside the includer or, failing that, by the
//!   longest common tail of their paths.

mod build_files;
mod facts;
mod includes;
mod lexis;
mod walk;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde::Serialize;

pub use facts::{Facts, Include};
pub use walk::{Bounds, Skip, SkipReason};

use build_files::Built;
use estrange_words::Language;
use includes::Names;
use rayon::prelude::*;

/// How a file takes part in a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Compiled by itself.
    Unit,
    /// A header.
    Header,
    /// Text that other files include and that is not compiled by itself: `.inc`, `.ipp`, an included `.c`.
    Fragment,
}

/// One C or C++ file.
#[derive(Debug, Clone)]
pub struct File {
    /// Relative to the tree's root.
    pub path: PathBuf,
    /// How it takes part in a build.
    pub kind: Kind,
    /// Its language.
    pub language: Language,
    /// What was seen in it.
    pub facts: Facts,
    /// The files of the listing that include it directly, as indices into [`Listing::files`].
    pub included_by: Vec<usize>,
}

/// What a tree holds.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// Its C and C++ files, sorted by path.
    pub files: Vec<File>,
    /// Every other regular file, sorted by path: build files, licences, documentation.
    pub others: Vec<PathBuf>,
    /// What was passed over, and why.
    pub skipped: Vec<Skip>,
}

/// Lists the C and C++ files below `root`. Only a root that cannot be read at all is an error.
pub fn list(root: &Path, bounds: &Bounds) -> std::io::Result<Listing> {
    let walk::Walked { paths, mut skipped } = walk::walk(root, bounds)?;
    let names = Names::of(&paths);
    let mut seen: Vec<Option<Facts>> = vec![None; paths.len()];
    let mut waiting: Vec<usize> = (0..paths.len()).filter(|&at| Ending::of(&paths[at]).is_some()).collect();
    let mut asked = vec![false; paths.len()];
    waiting.iter().for_each(|&at| asked[at] = true);
    let mut edges: Vec<(usize, usize)> = Vec::new();
    while !waiting.is_empty() {
        let looked: Vec<_> = waiting
            .par_iter()
            .map(|&at| (at, walk::read(root, &paths[at], bounds).map(|content| Facts::of(&content))))
            .collect();
        let mut next = Vec::new();
        for (at, result) in looked {
            match result {
                Ok(facts) => {
                    for include in &facts.includes {
                        let Some(target) = names.resolve(&paths[at], include) else { continue };
                        edges.push((at, target));
                        if !std::mem::replace(&mut asked[target], true) {
                            next.push(target);
                        }
                    }
                    seen[at] = Some(facts);
                }
                Err(reason) => skipped.push(Skip { path: paths[at].clone(), reason }),
            }
        }
        waiting = next;
    }
    skipped.sort();
    let built = Built::read(root, &paths);
    Ok(assemble(paths, seen, &edges, &built, skipped))
}

/// Turns paths, facts and includes into the listing.
fn assemble(
    paths: Vec<PathBuf>,
    seen: Vec<Option<Facts>>,
    edges: &[(usize, usize)],
    built: &Built,
    skipped: Vec<Skip>,
) -> Listing {
    let mut listing = Listing { skipped, ..Listing::default() };
    let mut index = vec![usize::MAX; paths.len()];
    let mut endings = Vec::new();
    for (at, (path, facts)) in paths.into_iter().zip(seen).enumerate() {
        let ending = Ending::of(&path);
        match facts {
            Some(facts) => {
                index[at] = listing.files.len();
                let ending = ending.unwrap_or(Ending { kind: Kind::Fragment, language: None });
                let language = ending.language.unwrap_or(Language::C);
                endings.push(ending);
                listing.files.push(File { path, kind: ending.kind, language, facts, included_by: Vec::new() });
            }
            None if ending.is_none() => listing.others.push(path),
            None => {}
        }
    }
    for &(from, to) in edges {
        if index[from] != usize::MAX && index[to] != usize::MAX && from != to {
            listing.files[index[to]].included_by.push(index[from]);
        }
    }
    for file in &mut listing.files {
        file.included_by.sort_unstable();
        file.included_by.dedup();
    }
    includes::tell_fragments(&mut listing.files, built);
    includes::tell_languages(&mut listing.files, &endings.iter().map(|ending| ending.language).collect::<Vec<_>>());
    listing
}

/// What a file's ending says about it.
#[derive(Debug, Clone, Copy)]
struct Ending {
    kind: Kind,
    language: Option<Language>,
}

impl Ending {
    /// `None` for files that are C or C++ only if another file includes them, and for all that are neither.
    fn of(path: &Path) -> Option<Self> {
        let ending = path.extension().and_then(OsStr::to_str)?;
        let (kind, language) = match ending {
            "c" => (Kind::Unit, Some(Language::C)),
            "cc" | "cpp" | "cxx" | "c++" | "cp" | "C" | "CPP" | "CC" => (Kind::Unit, Some(Language::Cpp)),
            // Of modules.
            "ccm" | "cppm" | "cxxm" | "c++m" | "ixx" | "mpp" => (Kind::Unit, Some(Language::Cpp)),
            "h" => (Kind::Header, None),
            "hh" | "hpp" | "hxx" | "h++" | "hp" | "H" | "HPP" => (Kind::Header, Some(Language::Cpp)),
            "ipp" | "tcc" | "tpp" | "txx" => (Kind::Fragment, Some(Language::Cpp)),
            _ => return None,
        };
        Some(Self { kind, language })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A tree from `(path, content)` pairs.
    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, content) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        folder
    }

    fn listed(files: &[(&str, &str)]) -> Vec<(String, Kind, Language)> {
        let folder = tree(files);
        let listing = list(folder.path(), &Bounds::default()).unwrap();
        listing.files.iter().map(|file| (file.path.display().to_string(), file.kind, file.language)).collect()
    }

    #[test]
    fn endings_decide_where_they_can() {
        let found = listed(&[("a.c", ""), ("b.cc", ""), ("c.hpp", ""), ("d.txt", ""), ("e.y", ""), ("f.inc", "")]);
        let expected = [
            ("a.c".into(), Kind::Unit, Language::C),
            ("b.cc".into(), Kind::Unit, Language::Cpp),
            ("c.hpp".into(), Kind::Header, Language::Cpp),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn whatever_a_listed_file_includes_is_listed() {
        let found = listed(&[
            ("a.c", "#include \"t/table.inc\""),
            ("t/table.inc", "#include \"more.def\""),
            ("t/more.def", ""),
        ]);
        assert_eq!(found.len(), 3);
        assert_eq!(found[1], ("t/more.def".into(), Kind::Fragment, Language::C));
    }

    #[test]
    fn an_included_source_file_is_a_fragment_unless_it_stands_by_itself() {
        let found = listed(&[
            ("part.c", "static int x;"),
            ("whole.c", "#include \"part.c\"\n#include \"lib.c\""),
            ("lib.c", "#include \"lib.h\""),
            ("lib.h", ""),
            ("tests/all.c", "#include \"../whole.c\""),
            ("unity.c", "#include \"one.c\"\n#include \"two.c\""),
            ("one.c", ""),
            ("two.c", ""),
            ("Makefile", "OBJECTS = one.o\nEXTRA_DIST = part.c \\\n  two.c"),
        ]);
        let kind = |name: &str| found.iter().find(|(path, ..)| path == name).unwrap().1;
        assert_eq!(kind("part.c"), Kind::Fragment);
        assert_eq!(kind("lib.c"), Kind::Unit, "it includes its own header");
        assert_eq!(kind("one.c"), Kind::Unit, "the build names it");
        assert_eq!(kind("two.c"), Kind::Fragment);
        assert_eq!(kind("whole.c"), Kind::Unit, "a test that includes the code under test proves nothing");
    }

    #[test]
    fn a_header_takes_the_language_of_those_who_reach_it() {
        let found = listed(&[
            ("a.c", "#include \"both.h\""),
            ("b.cc", "#include \"both.h\"\n#include \"mine.h\""),
            ("both.h", "int f(void);"),
            ("mine.h", "#include \"deep.h\""),
            ("deep.h", "int g(void);"),
            ("class.h", "namespace x {\n}"),
            ("guarded.h", "#ifdef __cplusplus\nnamespace x {}\n#endif"),
        ]);
        let language = |name: &str| found.iter().find(|(path, ..)| path == name).unwrap().2;
        assert_eq!(language("both.h"), Language::C);
        assert_eq!(language("mine.h"), Language::Cpp);
        assert_eq!(language("deep.h"), Language::Cpp);
        assert_eq!(language("class.h"), Language::Cpp);
        assert_eq!(language("guarded.h"), Language::C);
    }

    #[test]
    fn content_that_is_not_text_or_not_utf8_fails_nothing() {
        let folder = tree(&[]);
        fs::write(folder.path().join("latin1.c"), b"/* caf\xe9 */ int x;").unwrap();
        fs::write(folder.path().join("binary.c"), b"\x7fELF\0\0\0").unwrap();
        std::os::unix::fs::symlink("latin1.c", folder.path().join("link.c")).unwrap();
        std::os::unix::fs::symlink(".", folder.path().join("loop")).unwrap();
        let listing = list(folder.path(), &Bounds::default()).unwrap();
        assert_eq!(listing.files.len(), 1);
        let skipped: Vec<_> = listing.skipped.iter().map(|skip| (skip.path.to_str().unwrap(), &skip.reason)).collect();
        let expected = [
            ("binary.c", &SkipReason::NotText),
            ("link.c", &SkipReason::SymbolicLink),
            ("loop", &SkipReason::SymbolicLink),
        ];
        assert_eq!(skipped, expected);
    }

    #[test]
    fn bounds_hold_and_what_they_cost_is_recorded() {
        let folder = tree(&[("a/b/c/d.c", ""), ("big.c", "0123456789"), ("small.c", "")]);
        let bounds = Bounds { depth: 2, file_bytes: 9, entries: 100 };
        let listing = list(folder.path(), &bounds).unwrap();
        assert_eq!(listing.files.len(), 1);
        assert!(listing.skipped.contains(&Skip { path: "a/b/c".into(), reason: SkipReason::TooDeep }));
        assert!(listing.skipped.contains(&Skip { path: "big.c".into(), reason: SkipReason::TooLarge { bytes: 10 } }));
        let bounds = Bounds { entries: 2, ..Bounds::default() };
        let listing = list(folder.path(), &bounds).unwrap();
        assert!(listing.skipped.iter().any(|skip| skip.reason == SkipReason::TooMany));
    }

    #[test]
    fn a_root_that_is_not_there_is_an_error() {
        assert!(list(Path::new("/nonexistent/tree"), &Bounds::default()).is_err());
    }
}
