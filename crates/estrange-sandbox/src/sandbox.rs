//! The sandbox as its users see it: started once, then asked to run things.

use crate::command::Command;
use crate::outcome::Outcome;

/// How protection is to be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Protection {
    /// Refuse to start where the kernel cannot protect the machine.
    #[default]
    Required,
    /// Run anyway, with limits but without walls, where the kernel cannot protect the machine.
    BestEffort,
}

/// A running sandbox; cheap to clone, usable from many threads at once.
#[derive(Debug, Clone)]
pub struct Sandbox {}

/// Why the sandbox could not do its work. How a guest ended is never an error: see [`crate::End`].
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The kernel does not offer what protection needs.
    #[error("foreign code cannot be confined here: {missing}")]
    Unprotected {
        /// What is missing, in words.
        missing: String,
    },
}

impl Sandbox {
    /// Starts the sandbox.
    pub fn start(protection: Protection) -> Result<Self, Error> {
        let _ = protection;
        Ok(Self {})
    }

    /// Runs a command to its end. Blocks; call from as many threads as there are runs wanted at once.
    pub fn run(&self, command: &Command) -> Result<Outcome, Error> {
        let _ = command;
        todo!("being written")
    }
}
