//! Why problems cannot be read, or answers cannot be graded.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use estrange_sandbox::ToolError;
use estrange_words::Hint;

/// Why a folder or a file of problems cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be read: {source}", path.display())]
pub struct ReadError {
    /// The folder or the file.
    pub path: PathBuf,
    /// The system's answer.
    pub source: io::Error,
}

impl Hint for ReadError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        Some("docs/problems.md describes what a folder of problems holds".into())
    }
}

/// Why an answer could not be graded. What is wrong with the answer itself is never an error.
#[derive(Debug, thiserror::Error)]
pub enum GradeError {
    /// A tool cannot be started.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The sandbox could not do its work.
    #[error(transparent)]
    Sandbox(#[from] estrange_sandbox::Error),
    /// The folder for files cannot be used.
    #[error("the folder for compiling answers cannot be used: {0}")]
    Folder(#[from] io::Error),
    /// The program that runs answers does not compile.
    #[error("the program that runs answers does not compile: {0}")]
    Runtime(String),
    /// The program that runs answers did not start.
    #[error("the program that runs answers could not run: {0}")]
    NotRun(String),
    /// The problem itself is wrong: its declarations or its tests do not compile.
    #[error("the problem `{problem}` cannot be used: {why}")]
    Problem {
        /// Its name.
        problem: String,
        /// What the compiler or the linker says.
        why: String,
    },
}

impl Hint for GradeError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Tool(error) => error.hint(),
            Self::Sandbox(error) => error.hint(),
            Self::Folder(_) => Some("free some space, or name another folder with --cache".into()),
            Self::Runtime(_) | Self::NotRun(_) => {
                Some("`estrange doctor` says which compiler is wanted, and how to install it".into())
            }
            Self::Problem { .. } => Some("docs/problems.md describes what a problem must have".into()),
        }
    }
}
