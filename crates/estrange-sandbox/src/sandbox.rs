//! The sandbox as its users see it: started once, then asked to run things.

use std::io;
use std::os::fd::OwnedFd;
use std::process::{Child, Stdio};
use std::sync::Arc;

use rustix::net::Shutdown;
use tempfile::TempDir;

use crate::command::Command;
use crate::outcome::Outcome;
use crate::run::Run;
use crate::wire::{self, Ready};
use crate::{keeper, probe, request};

/// What to do where the kernel cannot protect the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Protection {
    /// Refuse to start.
    #[default]
    Required,
    /// Run anyway: with time and output limits and the system-call filter, but without walls.
    Waived,
}

/// A running sandbox; cheap to clone, usable from many threads at once.
#[derive(Debug, Clone)]
pub struct Sandbox {
    keeper: Arc<Keeper>,
}

/// Why the sandbox could not do its work. How a guest ended is never an error: see [`crate::End`].
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The kernel does not offer what protection needs.
    #[error("foreign code cannot be confined here: {missing}")]
    Unprotected {
        /// What is missing, in words.
        missing: String,
    },
    /// The keeper could not be started or has gone.
    #[error("the sandbox's keeper is not there: {0}")]
    Keeper(#[source] io::Error),
    /// The system would not give what a run needs on our side: a pipe, a descriptor, memory.
    #[error("the sandbox could not begin a run: {0}")]
    Begin(#[source] io::Error),
    /// A run's warden went away without a report.
    #[error("a sandboxed run was lost: its warden ended without a report")]
    Lost,
}

#[derive(Debug)]
struct Keeper {
    socket: OwnedFd,
    process: Child,
    walled: bool,
}

impl Error {
    /// What the user can do about it.
    pub fn hint(&self) -> Option<String> {
        matches!(self, Error::Unprotected { .. }).then(probe::hint)
    }
}

impl Sandbox {
    /// Starts the sandbox.
    pub fn start(protection: Protection) -> Result<Self, Error> {
        match Keeper::start(true) {
            Err(Error::Unprotected { .. }) if protection == Protection::Waived => Keeper::start(false),
            started => started,
        }
        .map(|keeper| Self { keeper: Arc::new(keeper) })
    }

    /// Whether guests are confined; only [`Protection::Waived`] can make this false.
    pub fn is_protected(&self) -> bool {
        self.keeper.walled
    }

    /// Runs a command to its end. Blocks; call from as many threads as there are runs wanted at once.
    pub fn run(&self, command: &Command) -> Result<Outcome, Error> {
        let folder = match self.keeper.walled {
            true => None,
            false => Some(request::open_folder().map_err(Error::Begin)?),
        };
        match request::translate(command, folder.as_ref().map(TempDir::path)) {
            Ok(request) => Run::begin(&self.keeper.socket, command, &request)?.finish(command, folder),
            Err(why) => Ok(Outcome::not_started(why)),
        }
    }
}

impl Keeper {
    fn start(walled: bool) -> Result<Self, Error> {
        let (ours, theirs) = wire::connection().map_err(Error::Keeper)?;
        let process = std::process::Command::new("/proc/self/exe")
            .env_clear()
            .env(keeper::MARK, if walled { keeper::WALLED } else { keeper::OPEN })
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(Error::Keeper)?;
        let keeper = Self { socket: ours, process, walled };
        match wire::receive::<Ready>(&keeper.socket) {
            Ok(Some((Ready { failure: None }, _))) => Ok(keeper),
            Ok(Some((Ready { failure: Some(missing) }, _))) => Err(Error::Unprotected { missing }),
            Ok(None) => Err(Error::Keeper(io::ErrorKind::UnexpectedEof.into())),
            Err(error) => Err(Error::Keeper(error)),
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // The keeper ends when its socket does.
        let _ = rustix::net::shutdown(&self.socket, Shutdown::Both);
        let _ = self.process.wait();
    }
}
