//! One call of an analyser: a folder with the unit's file, and the confined run of a program in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use estrange_sandbox::{Tool, ToolOutput, Workshop};
use tempfile::TempDir;

use crate::directives::without_directives_for_messages;
use crate::error::AnalyserError;
use crate::unit::Unit;

/// How much memory each process of a built-in analyser may have.
const MEMORY: u64 = 4 << 30;

/// A folder with the file of a unit; it goes when the call is over.
pub struct Call {
    folder: TempDir,
    name: String,
    wall: Duration,
    workshop: Workshop,
}

impl Call {
    /// Writes the file of a unit.
    pub fn new(workshop: &Workshop, wall: Duration, unit: &Unit<'_>) -> Result<Self, AnalyserError> {
        let folder = workshop.folder("estrange-analyser-")?;
        let name = unit.file_name();
        fs::write(folder.path().join(&name), without_directives_for_messages(unit.text))?;
        Ok(Self { folder, name, wall, workshop: workshop.clone() })
    }

    /// The whole path of the unit's file.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }

    /// A run of a program in the folder, where the unit's file is.
    pub fn tool(&self, program: &str) -> Tool {
        self.workshop.tool(program).works_in(self.folder.path()).environment("LC_ALL", "C.UTF-8").wall(self.wall)
    }

    /// Runs a built-in analyser with these arguments.
    pub fn run(&self, program: &str, arguments: &[&str], flags: &[String]) -> Result<ToolOutput, AnalyserError> {
        Ok(self.tool(program).memory(MEMORY).arguments(arguments).arguments(flags).argument(&self.name).run()?)
    }

    /// Whether a file that an analyser names is the unit's: by the end of its path, or by its folder, which has a name of its
    /// own. What stands before the folder is another in the sandbox, where some tools follow links.
    pub fn is_unit(&self, file: &str) -> bool {
        let path = self.path();
        let own = self.folder.path().file_name().map(|folder| Path::new(folder).join(&self.name));
        (!file.is_empty() && path.ends_with(file)) || own.is_some_and(|own| Path::new(file).ends_with(own))
    }
}
