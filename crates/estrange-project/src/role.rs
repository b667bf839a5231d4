//! What a file is to its project: library code, a program, a test, an example, a copy of someone else's project.
//!
//! No project is known by name. The rules, in order; the first that applies decides, and its reason is recorded:
//!
//! 1. **Where it lies.** The path is read from the root down, and the first folder that says something decides:
//!    packaging (`debian/` at the root), tests and benchmarks, examples and documentation, programs (`tools/`), or
//!    a copy of another project: a folder named for that (`third_party/`, `deps/`), a git submodule, or a folder with
//!    a licence of its own from other copyright holders than the root's.
//! 2. **What it is called:** `test_x.c`, `x_test.cc`, `x_unittest.cc`, `fuzz_x.c`, `demo.c`.
//! 3. **What it says:** written by a program ("do not edit"); a fuzz target; includes a test framework; defines
//!    `main`.
//! 4. Otherwise it is library code.
//!
//! What counts as a copy is relative to the project. Where the tree's root is not itself a C or C++ project (a crate
//! that wraps a C library), or where nothing but copies would be left, the copies *are* the library: the outermost
//! one on a file's path is then taken for its root, and the rules start anew below it.

mod bundles;
mod signs;

use std::path::Path;

use serde::Serialize;

use crate::files::{File, Kind, Listing};
use bundles::Bundles;

pub use signs::is_test_path;

/// What a file is to its project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// What the project is for.
    Library,
    /// A command-line tool or another program, and its parts.
    Program,
    /// Tests, benchmarks, fuzz targets, and what they need.
    Test,
    /// Examples, demonstrations, documentation.
    Example,
    /// A copy of another project, or contributed code that is not part of the library.
    Vendored,
    /// Written by a program.
    Generated,
    /// The work of a distribution's packagers.
    Packaging,
}

/// A role and what gave it away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Assigned {
    /// The role.
    pub role: Role,
    /// The rule that applied, in words.
    pub reason: String,
}

impl Assigned {
    fn new(role: Role, reason: impl Into<String>) -> Self {
        Self { role, reason: reason.into() }
    }
}

/// The role of each file of the listing, in its order.
pub fn assign(root: &Path, listing: &Listing) -> Vec<Assigned> {
    let bundles = Bundles::find(root, listing);
    let with_roots = |copies_are_library| -> Vec<Assigned> {
        listing.files.iter().map(|file| assign_one(file, &bundles, copies_are_library)).collect()
    };
    if bundles.root_is_project {
        let assigned = with_roots(false);
        let is_library = |(file, assigned): (&File, &Assigned)| {
            file.kind != Kind::Header && matches!(assigned.role, Role::Library | Role::Generated)
        };
        let header_only = || listing.files.iter().all(|file| file.kind == Kind::Header);
        let copies = assigned.iter().any(|assigned| assigned.role == Role::Vendored);
        if !copies || listing.files.iter().zip(&assigned).any(is_library) || header_only() {
            return assigned;
        }
    }
    with_roots(true)
}

fn assign_one(file: &File, bundles: &Bundles, copies_are_library: bool) -> Assigned {
    let mut path = file.path.as_path();
    let mut below = Path::new("");
    if copies_are_library && let Some(bundle) = bundles.outermost(path) {
        below = bundle;
        path = path.strip_prefix(bundle).unwrap_or(path);
    }
    bundles
        .by_place(below, path)
        .or_else(|| signs::by_name(path, file.facts.starts_program))
        .or_else(|| signs::by_content(file))
        .unwrap_or_else(|| match below.as_os_str().is_empty() {
            true => Assigned::new(Role::Library, "nothing says otherwise"),
            false => Assigned::new(Role::Library, format!("part of the bundled library in {}/", below.display())),
        })
}
