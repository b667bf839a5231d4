//! The tools of a build, found once, with their versions.

use std::collections::BTreeMap;
use std::path::Path;

use estrange_evidence::Gcc;
use estrange_sandbox::Tool;
use estrange_unit::{Language, Parser, SystemFolders};

use crate::error::BuildError;

/// The compilers and the parser.
pub(crate) struct Tools {
    pub(crate) gcc: Gcc,
    pub(crate) parser: Parser,
    c_folders: SystemFolders,
    cpp_folders: SystemFolders,
    /// Their versions, by name.
    pub(crate) versions: BTreeMap<String, String>,
}

impl Tools {
    pub(crate) fn find(jobs: usize, scratch: &Path) -> Result<Self, BuildError> {
        let gcc = Gcc::find_in(scratch).map_err(|error| missing("gcc", &error))?;
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
        Ok(Self { gcc, parser, c_folders, cpp_folders, versions })
    }

    pub(crate) fn folders(&self, language: Language) -> &SystemFolders {
        match language {
            Language::C => &self.c_folders,
            Language::Cpp => &self.cpp_folders,
        }
    }

    /// Stands for the versions of all tools.
    pub(crate) fn key(&self) -> String {
        self.versions.iter().map(|(name, version)| format!("{name} {version}\n")).collect()
    }
}

fn missing(what: &'static str, error: &dyn std::fmt::Display) -> BuildError {
    BuildError::Tool { what, detail: error.to_string() }
}
