//! What a file is to its project: library code, a program, a test, an example, a copy of someone else's project.
//!
//! No project is known by name. The rules, in order; the first that applies decides, and its reason is recorded:
//!
//! 1. **Where it lies.** The path is read from the root down, and the first folder that says something decides:
//!    packaging (`debian/` at the root), tests and benchmarks, examples and documentation, programs (`tools/`),
//!    another system (`win32/`), or a copy of another project: a folder named for that (`third_party/`, `deps/`), a git submodule, or a folder with
//!    a licence of its own by other copyright holders than the root's.
//! 2. **What it is called:** `test_x.c`, `x_test.cc`, `x_unittest.cc`, `fuzz_x.c`, `demo.c`, `x_win32.c`.
//! 3. **What it says:** written by a program ("do not edit"); a fuzz target; includes a test framework; defines
//!    `main`.
//! 4. Otherwise it is library code.
//!
//! Two things show only when all files have been looked at: a folder may hold the parts of a program (the file with
//! `main` includes its headers, and nobody else does), and what library code includes is library code, whatever it is
//! called.
//!
//! What counts as a copy is relative to the project. Where the tree's root is not itself a C or C++ project (a crate
//! that wraps a C library), or where nothing but copies would be left, the copies *are* the library: the outermost
//! one on a file's path is then taken for its root, and the rules start anew below it.

mod bundles;
mod programs;
mod signs;

use std::path::Path;

use crate::files::{File, Kind, Listing};
use crate::named_role::{NAMED_AS_TEST, by_name};
use bundles::Bundles;

pub use crate::named_role::{Assigned, Role, is_test_path};

/// The role of each file of the listing, in its order.
pub fn assign(root: &Path, listing: &Listing) -> Vec<Assigned> {
    let bundles = Bundles::find(root, listing);
    let assigner = Assigner { listing, bundles: &bundles, copies_are_library: !bundles.root_is_project };
    let assigned = assigner.assign_all();
    let units = || listing.files.iter().zip(&assigned).filter(|(file, _)| file.kind == Kind::Unit);
    let only_copies = units().any(|(_, assigned)| assigned.role == Role::Vendored)
        && !units().any(|(_, assigned)| matches!(assigned.role, Role::Library | Role::Generated));
    let mut assigned = match only_copies && bundles.root_is_project {
        true => Assigner { copies_are_library: true, ..assigner }.assign_all(),
        false => assigned,
    };
    keep_what_the_library_includes(&listing.files, &mut assigned);
    programs::gather(&listing.files, &mut assigned);
    assigned
}

/// A header that is named as a test but that library code includes is library code, and so is its source file.
fn keep_what_the_library_includes(files: &[File], assigned: &mut [Assigned]) {
    // Need spreads from library code to what it includes, and from a header to the unit of the same name.
    let mut spreads: Vec<Vec<usize>> = vec![Vec::new(); files.len()];
    for (at, file) in files.iter().enumerate().filter(|(_, file)| file.kind != Kind::Unit) {
        for &by in &file.included_by {
            spreads[by].push(at);
            if files[by].kind == Kind::Unit && files[by].path.file_stem() == file.path.file_stem() {
                spreads[at].push(by);
            }
        }
    }
    let mut waiting: Vec<usize> = (0..files.len()).filter(|&at| assigned[at].role == Role::Library).collect();
    while let Some(at) = waiting.pop() {
        for &to in &spreads[at] {
            if assigned[to].reason == NAMED_AS_TEST && !files[to].facts.starts_program {
                assigned[to] = Assigned::new(Role::Library, "named as a test, but library code includes it");
                waiting.push(to);
            }
        }
    }
}

struct Assigner<'a> {
    listing: &'a Listing,
    bundles: &'a Bundles,
    copies_are_library: bool,
}

impl Assigner<'_> {
    fn assign_all(&self) -> Vec<Assigned> {
        self.listing.files.iter().map(|file| self.assign(file)).collect()
    }

    fn assign(&self, file: &File) -> Assigned {
        let (below, path) = self.split(&file.path);
        self.bundles
            .by_place(below, path)
            .or_else(|| by_name(path, file.facts.starts_program))
            .or_else(|| signs::by_content(file, &|name| self.provides(name)))
            .unwrap_or_else(|| match below.as_os_str().is_empty() {
                true => Assigned::new(Role::Library, "nothing says otherwise"),
                false => Assigned::new(Role::Library, format!("part of the library in {}/", below.display())),
            })
    }

    /// A path as the root of the project it belongs to, and the rest.
    fn split<'a>(&self, path: &'a Path) -> (&'a Path, &'a Path) {
        let below = match self.copies_are_library {
            true => self.bundles.outermost(path).unwrap_or(Path::new("")),
            false => Path::new(""),
        };
        (below, path.strip_prefix(below).unwrap_or(path))
    }

    /// Whether a header that is included by this name is the project's own, and not a copy of another's.
    fn provides(&self, name: &str) -> bool {
        let own = |path: &Path| {
            let (below, rest) = self.split(path);
            self.bundles.by_place(below, rest).is_none()
        };
        self.listing.files.iter().any(|file| file.path.ends_with(name) && own(&file.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{Bounds, list};

    /// The roles in a tree of `(path, content)` pairs, by path.
    fn roles(files: &[(&str, &str)]) -> std::collections::BTreeMap<String, Role> {
        let folder = crate::folder_of(files);
        let listing = list(folder.path(), &Bounds::default()).unwrap();
        let assigned = assign(folder.path(), &listing);
        let paths = listing.files.iter().map(|file| file.path.display().to_string());
        paths.zip(assigned.iter().map(|assigned| assigned.role)).collect()
    }

    #[test]
    fn the_outermost_telling_folder_decides() {
        let found = roles(&[
            ("src/a.c", ""),
            ("src/contrib/b.c", ""),
            ("contrib/c.c", ""),
            ("third_party/x/tests/d.c", ""),
            ("tests/third_party/e.c", ""),
            ("debian/f.c", ""),
            ("tools/g.c", ""),
            ("docs/h.c", ""),
            ("src/win32/i.c", ""),
            ("src/j_vms.c", ""),
        ]);
        let expected = [
            ("src/a.c", Role::Library),
            ("src/contrib/b.c", Role::Library),
            ("contrib/c.c", Role::Vendored),
            ("third_party/x/tests/d.c", Role::Vendored),
            ("tests/third_party/e.c", Role::Test),
            ("debian/f.c", Role::Packaging),
            ("tools/g.c", Role::Program),
            ("docs/h.c", Role::Example),
            ("src/win32/i.c", Role::Platform),
            ("src/j_vms.c", Role::Platform),
        ];
        for (path, role) in expected {
            assert_eq!(found[path], role, "{path}");
        }
    }

    #[test]
    fn content_decides_where_places_and_names_are_silent() {
        let found = roles(&[
            ("src/main.c", "int main(void) { return 0; }"),
            ("src/parser.c", "/* A Bison parser, made by GNU Bison 3.8. */"),
            ("src/spec.cc", "#include <gtest/gtest.h>"),
            ("src/target.c", "int LLVMFuzzerTestOneInput(const char *data, size_t size) {"),
            ("src/core.c", "int f(void) { return 1; }"),
        ]);
        assert_eq!(found["src/main.c"], Role::Program);
        assert_eq!(found["src/parser.c"], Role::Generated);
        assert_eq!(found["src/spec.cc"], Role::Test);
        assert_eq!(found["src/target.c"], Role::Test);
        assert_eq!(found["src/core.c"], Role::Library);
    }

    #[test]
    fn what_the_library_includes_is_library() {
        let found = roles(&[
            ("src/core.c", "#include \"self_test.h\""),
            ("src/self_test.h", ""),
            ("src/self_test.c", "#include \"self_test.h\""),
            ("src/core_test.c", "#include \"core_test.h\""),
            ("src/core_test.h", ""),
        ]);
        assert_eq!(found["src/self_test.h"], Role::Library);
        assert_eq!(found["src/self_test.c"], Role::Library);
        assert_eq!(found["src/core_test.h"], Role::Test);
        assert_eq!(found["src/core_test.c"], Role::Test);
    }

    #[test]
    fn a_programs_parts_are_the_program() {
        let main = "#include \"options.h\"\nint main(void) { return 0; }";
        let tree = [
            ("lib/core.c", "#include \"core.h\""),
            ("lib/core.h", ""),
            ("src/main.c", main),
            ("src/options.c", "#include \"options.h\"\n#include \"core.h\""),
            ("src/options.h", ""),
            ("tests/t.c", "#include \"options.h\""),
        ];
        let found = roles(&tree);
        assert_eq!(found["src/options.c"], Role::Program);
        assert_eq!(found["src/options.h"], Role::Program);
        assert_eq!(found["lib/core.c"], Role::Library);
        let used_elsewhere = roles(&[&tree[..], &[("lib/more.c", "#include \"options.h\"")]].concat());
        assert_eq!(used_elsewhere["src/options.c"], Role::Library);
        let nothing_else = roles(&tree[2..]);
        assert_eq!(nothing_else["src/options.c"], Role::Library, "then the program is what the project is for");
    }

    #[test]
    fn a_check_within_the_sources_is_not_a_test() {
        let found = roles(&[("src/lib/check/crc.c", ""), ("src/Doc/node.c", ""), ("check/run.c", "")]);
        assert_eq!(found["src/lib/check/crc.c"], Role::Library);
        assert_eq!(found["src/Doc/node.c"], Role::Library);
        assert_eq!(found["check/run.c"], Role::Test);
    }

    #[test]
    fn a_test_frameworks_own_code_is_a_library() {
        let found = roles(&[("include/gtest/gtest.h", ""), ("src/all.cc", "#include \"gtest/gtest.h\"")]);
        assert_eq!(found["src/all.cc"], Role::Library);
    }

    const OURS: &str = "MIT License\nCopyright (c) 2020 Jane Doe\n";
    const THEIRS: &str = "BSD License\nCopyright (c) 2011 Richard Roe\n";

    #[test]
    fn a_folder_licensed_by_others_is_a_copy() {
        let found = roles(&[
            ("LICENSE", OURS),
            ("src/a.c", ""),
            ("src/map/LICENSE", THEIRS),
            ("src/map/map.c", ""),
            ("plugin/LICENSE", OURS),
            ("plugin/p.c", ""),
        ]);
        assert_eq!(found["src/a.c"], Role::Library);
        assert_eq!(found["src/map/map.c"], Role::Vendored);
        assert_eq!(found["plugin/p.c"], Role::Library);
    }

    #[test]
    fn a_submodule_is_a_copy() {
        let modules = "[submodule \"x\"]\n\tpath = lib/x\n\turl = https://example.org/x\n";
        let found = roles(&[(".gitmodules", modules), ("lib/x/a.c", ""), ("lib/y/a.c", "")]);
        assert_eq!(found["lib/x/a.c"], Role::Vendored);
        assert_eq!(found["lib/y/a.c"], Role::Library);
    }

    #[test]
    fn in_a_crate_the_wrapped_library_is_the_library() {
        let found = roles(&[
            ("Cargo.toml", "[package]"),
            ("LICENSE", OURS),
            ("vendor/zip/LICENSE", THEIRS),
            ("vendor/zip/src/zip.c", ""),
            ("vendor/zip/test/t.c", ""),
            ("vendor/zip/third_party/hash/h.c", ""),
            ("vendor/bare/b.c", ""),
        ]);
        assert_eq!(found["vendor/zip/src/zip.c"], Role::Library);
        assert_eq!(found["vendor/zip/test/t.c"], Role::Test);
        assert_eq!(found["vendor/zip/third_party/hash/h.c"], Role::Vendored);
        assert_eq!(found["vendor/bare/b.c"], Role::Library);
    }

    #[test]
    fn where_only_copies_are_left_they_are_the_library() {
        let found = roles(&[("Makefile", ""), ("deps/zip/zip.c", ""), ("tests/t.c", "")]);
        assert_eq!(found["deps/zip/zip.c"], Role::Library);
        assert_eq!(found["tests/t.c"], Role::Test);
    }
}
