//! Which executable serves as keeper and as worker.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The version of what keepers and workers say to their callers. A caller and an executable of different versions do
/// not work together: what one sends, the other might misread.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The executable that is started as keeper and as worker. It must contain this crate, and the services that are asked
/// for: then it becomes a keeper or a worker before it reaches its `main`.
///
/// A program of ours starts copies of itself. Where the libraries are part of another program, such as an interpreter,
/// a copy of that would not do, and an executable of ours is named instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launcher {
    program: PathBuf,
}

impl Launcher {
    /// Copies of the program that is running, even if its file was replaced or removed meanwhile.
    pub fn this_program() -> Self {
        Self::program("/proc/self/exe")
    }

    /// Another executable, by its path.
    pub fn program(path: impl Into<PathBuf>) -> Self {
        Self { program: path.into() }
    }

    /// The executable's path.
    pub fn path(&self) -> &Path {
        &self.program
    }

    pub(crate) fn command(&self) -> Command {
        Command::new(&self.program)
    }
}
