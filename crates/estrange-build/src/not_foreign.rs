//! Why foreign steps of recipes cannot be carried out at all.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use estrange_words::Hint;

/// Why foreign steps cannot be carried out at all.
#[derive(Debug, thiserror::Error)]
pub enum NotForeign {
    /// A command cannot be used.
    #[error(transparent)]
    Command(#[from] NoCommand),
    /// What a model is to be asked cannot be had.
    #[error(transparent)]
    Prompt(#[from] NoPrompt),
    /// Nobody has opened the model.
    #[error("the model `{0}` was not opened")]
    Model(String),
}

impl Hint for NotForeign {
    fn hint(&self) -> Option<Cow<'static, str>> {
        Some(Cow::Borrowed(match self {
            NotForeign::Command(NoCommand::Spelling(_)) => "write it as for a shell, with quotes around blanks",
            NotForeign::Command(NoCommand::Program(_)) => {
                "name a program of the system, or a file with its folder, such as ./rewrite.sh"
            }
            NotForeign::Command(NoCommand::SameName { .. }) => "rename one of them, or show the folder that has both",
            NotForeign::Command(NoCommand::Unreadable { .. }) => "--external-reads names what commands may read",
            NotForeign::Prompt(_) => "openai:NAME@FILE takes the prompt of a file of yours",
            NotForeign::Model(_) => return None,
        }))
    }
}

/// Why a command cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NoCommand {
    /// A quote is never closed, or there is no word.
    #[error("`{0}` is no command: a quote in it is not closed")]
    Spelling(String),
    /// There is no such program.
    #[error("there is no program `{0}`")]
    Program(String),
    /// Two files would have one name.
    #[error("two files that the command `{command}` may read are called `{name}`")]
    SameName {
        /// The command.
        command: String,
        /// The name.
        name: String,
    },
    /// A file or folder cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
}

/// Why there is nothing to ask.
#[derive(Debug, thiserror::Error)]
pub enum NoPrompt {
    /// It is the name of none of ours, and no file that can be read.
    #[error("the prompt {} cannot be read: {source}; `semantic` and `structure` are ours", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
}
