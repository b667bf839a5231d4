//! What the tests of suites share: the two small projects, prepared once, and edits of their functions.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use estrange_sandbox::{Launcher, Protection, Sandbox};
use estrange_suite::{Graded, ProjectFile, Replacement, Runs, Suite, Tests};

/// The sandbox of all tests.
pub static SANDBOX: LazyLock<Sandbox> =
    LazyLock::new(|| Sandbox::start(&Launcher::this_program(), Protection::Required).unwrap());

/// A project of one Makefile, whose one test program reports in TAP.
pub static MADE: LazyLock<Suite> = LazyLock::new(|| prepare("made"));

/// A project of CMake and ninja, whose test programs are CTest's and print nothing.
pub static CTESTED: LazyLock<Suite> = LazyLock::new(|| prepare("ctested"));

/// The folder of a project.
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/projects").join(name)
}

/// A project, ready to grade.
pub fn prepare(name: &str) -> Suite {
    let folder = folder(name);
    let file = ProjectFile::read(&folder.join("project.toml")).unwrap();
    Suite::prepare(&SANDBOX, &file, &folder, 3).unwrap()
}

/// The replacement of a whole function of a project's file by a text.
pub fn replace(project: &str, path: &str, function: &str, text: &str) -> Replacement {
    let source = fs::read_to_string(folder(project).join(path)).unwrap();
    let start = source.find(&format!("{function}(")).unwrap();
    let start = source[..start].rfind('\n').map_or(0, |at| at + 1);
    let end = start + source[start..].find("\n}\n").unwrap() + 2;
    Replacement { path: path.to_owned(), range: start..end, text: text.to_owned() }
}

/// The grade of a text in the place of a function, once where it passes and twice where it does not.
pub fn grade(suite: &Suite, project: &str, path: &str, function: &str, text: &str) -> Graded {
    let runs = Runs { passing: 1, other: 2 };
    suite.grade(&[replace(project, path, function, text)], &Tests::All, runs).unwrap()
}
