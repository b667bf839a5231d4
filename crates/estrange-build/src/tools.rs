//! The tools of a build, found once, with their versions.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use estrange_evidence::{Gcc, GccError};
use estrange_sandbox::Tool;
use estrange_unit::{Language, Parser, SystemFolders};

use crate::error::BuildError;
use crate::undefined::cpp_library;

/// The compilers and the parser.
pub(crate) struct Tools {
    pub(crate) gcc: Gcc,
    pub(crate) parser: Parser,
    c_folders: SystemFolders,
    cpp_folders: SystemFolders,
    /// The symbols of the C++ standard library.
    pub(crate) cpp_library: HashSet<String>,
    scratch: PathBuf,
    /// Their versions, by name.
    pub(crate) versions: BTreeMap<String, String>,
}

impl Tools {
    pub(crate) fn find(jobs: usize, scratch: &Path) -> Result<Self, BuildError> {
        let gcc = Gcc::find_in(scratch).map_err(|error| gcc_failed(error, scratch))?;
        let folders = |language| -> Result<SystemFolders, BuildError> {
            let output = Tool::new("gcc")
                .arguments(["-v", "-E", language, "/dev/null"])
                .environment("LC_ALL", "C")
                .run()
                .map_err(|error| missing("gcc", &error))?;
            Ok(SystemFolders::from_compiler(&String::from_utf8_lossy(&output.stderr)))
        };
        let clang = Tool::new("clang-19").argument("--version").run().map_err(|error| missing("clang-19", &error))?;
        let clang = clang.text().lines().next().unwrap_or_default().to_owned();
        let versions = BTreeMap::from([("gcc".to_owned(), gcc.version().to_owned()), ("clang".to_owned(), clang)]);
        let (c_folders, cpp_folders) = (folders("-xc")?, folders("-xc++")?);
        let parser =
            Parser::new(jobs, scratch).map_err(|source| BuildError::Cache { path: scratch.to_owned(), source })?;
        let cpp_library = cpp_library().map_err(|error| missing("nm", &error))?;
        Ok(Self { cpp_library, gcc, parser, c_folders, cpp_folders, scratch: scratch.to_owned(), versions })
    }

    pub(crate) fn folders(&self, language: Language) -> &SystemFolders {
        match language {
            Language::C => &self.c_folders,
            Language::Cpp => &self.cpp_folders,
        }
    }

    /// Why gcc could not be used, as an error of the build.
    pub(crate) fn gcc_failed(&self, error: GccError) -> BuildError {
        gcc_failed(error, &self.scratch)
    }

    /// Stands for the versions of all tools.
    pub(crate) fn key(&self) -> String {
        self.versions.iter().map(|(name, version)| format!("{name} {version}\n")).collect()
    }
}

/// A folder that is full is not the compiler's fault.
fn gcc_failed(error: GccError, scratch: &Path) -> BuildError {
    match error {
        GccError::Folder(source) => BuildError::Cache { path: scratch.to_owned(), source },
        error => missing("gcc", &error),
    }
}

fn missing(what: &'static str, error: &dyn std::fmt::Display) -> BuildError {
    BuildError::Tool { what, detail: error.to_string() }
}
