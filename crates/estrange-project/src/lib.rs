//! Surveys a source tree: its C and C++ files, what each is to its project, its licence, and how it is compiled.
//!
//! [`survey()`] answers four questions about a tree that is already on disk, whatever project it holds:
//!
//! - [`files`]: which files are C or C++, in which language, and which are compiled by themselves;
//! - [`role`]: library code, a program, a test, an example, or a copy of another project;
//! - [`licence`]: under which licence, as an SPDX expression, and of which class;
//! - [`flags`]: with which compiler flags, and where generated headers are.
//!
//! The tree is foreign: nothing in it is trusted, nothing can make a survey panic, and what is passed over is
//! recorded. This crate must not know where a tree comes from, nor what is done with its functions afterwards.

pub mod files;
pub mod flags;
mod installed;
pub mod licence;
mod named_role;
pub mod parse_check;
pub mod role;
mod survey;
mod systems;

use std::path::Path;

pub use installed::installed_headers;
pub use survey::{Options, Project, SourceFile, SurveyError, survey};

/// Paths are bytes, JSON is text: what is not UTF-8 in a path is shown as a replacement character.
fn serialize_path<S: serde::Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}

/// A folder with these files, `(path, content)`, for a test.
#[cfg(test)]
fn folder_of(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    folder
}
