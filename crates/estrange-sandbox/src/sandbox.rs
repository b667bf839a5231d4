//! The sandbox as its users see it: started once, then asked to run things.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::process::{Child, Stdio};
use std::sync::Arc;

use rustix::net::Shutdown;
use tempfile::TempDir;

use crate::command::Command;
use crate::error::Error;
use crate::outcome::Outcome;
use crate::run::Run;
use crate::tool::Tool;
use crate::wire::{self, Ready, Request};
use crate::{keeper, request};

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

#[derive(Debug)]
struct Keeper {
    socket: OwnedFd,
    process: Child,
    walled: bool,
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
            Ok(request) => {
                let gathered = self.begin(&command.stdin, &request)?.gather(command.limits.output)?;
                Ok(gathered.into_outcome(command, folder))
            }
            Err(why) => Ok(Outcome::not_started(why)),
        }
    }

    /// A run of a program of ours that reads foreign text: it is confined, and sees no file but the system's own software
    /// and the places that it is shown ([`Tool::reads`], [`Tool::works_in`]). Where nothing can be confined and
    /// [`Protection::Waived`] was said, it runs as any tool.
    pub fn tool(&self, program: impl Into<OsString>) -> Tool {
        Tool::confined(program, self.clone())
    }

    pub(crate) fn begin(&self, stdin: &[u8], request: &Request) -> Result<Run, Error> {
        Run::begin(&self.keeper.socket, stdin, request)
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
