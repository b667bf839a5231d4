//! Why an analyser cannot be used at all, and what to do about it.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use estrange_sandbox::ToolError;
use estrange_words::Hint;

/// Why an analyser cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AnalyserError {
    /// It is not installed.
    #[error("the analyser {program} is not installed")]
    Missing {
        /// The program that was looked for.
        program: String,
        /// The Debian package that has it.
        package: &'static str,
    },
    /// It does not say its version.
    #[error("{program} does not say its version: {said}")]
    NoVersion {
        /// The program.
        program: String,
        /// How it ended, and its last words.
        said: String,
    },
    /// The words of a command cannot be told apart.
    #[error("`{0}` is no command: it is empty, or a quote in it is not closed")]
    Spelling(String),
    /// The program of a command is not there.
    #[error("there is no program `{0}`")]
    NoProgram(String),
    /// A file that a command names cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// It could not be started or confined.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The folder for its files cannot be used.
    #[error("the folder for analysing cannot be used: {0}")]
    Folder(#[from] io::Error),
}

impl Hint for AnalyserError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Missing { package, .. } => Some(format!("install the Debian package {package}").into()),
            Self::NoVersion { .. } => {
                Some("`estrange doctor` says which version is wanted, and how to install it".into())
            }
            Self::Spelling(_) => Some("write it as for a shell, with quotes around blanks".into()),
            Self::NoProgram(_) => Some("name a program of the system, or the path of one of yours".into()),
            Self::Unreadable { .. } => None,
            Self::Tool(error) => error.hint(),
            Self::Folder(_) => Some("free some space, or name another folder with --cache".into()),
        }
    }
}
