//! The sandbox as its users see it: started once, then asked to run things.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::net::Shutdown;
use tempfile::TempDir;

use crate::command::Command;
use crate::error::Error;
use crate::launcher::Launcher;
use crate::outcome::Outcome;
use crate::run::Run;
use crate::wire::{self, Ready, Request};
use crate::{keeper, request, wait};

/// How long a keeper may take to say that it is there.
const START: Duration = Duration::from_secs(30);

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
    launcher: Launcher,
}

impl Sandbox {
    /// Starts the sandbox, whose keeper is the launcher's executable.
    pub fn start(launcher: &Launcher, protection: Protection) -> Result<Self, Error> {
        match Keeper::start(launcher, true) {
            Err(Error::Unprotected { .. }) if protection == Protection::Waived => Keeper::start(launcher, false),
            started => started,
        }
        .map(|keeper| Self { keeper: Arc::new(keeper) })
    }

    /// Whether guests are confined; only [`Protection::Waived`] can make this false.
    pub fn is_protected(&self) -> bool {
        self.keeper.walled
    }

    /// Which executable is its keeper, and serves as worker wherever this sandbox is used.
    pub fn launcher(&self) -> &Launcher {
        &self.keeper.launcher
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

    pub(crate) fn begin(&self, stdin: &[u8], request: &Request) -> Result<Run, Error> {
        Run::begin(&self.keeper.socket, stdin, request)
    }
}

impl Keeper {
    fn start(launcher: &Launcher, walled: bool) -> Result<Self, Error> {
        let (ours, theirs) = wire::connection().map_err(Error::Keeper)?;
        let process = launcher
            .command()
            .env_clear()
            .env(keeper::MARK, keeper::mark(walled))
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(Error::Keeper)?;
        let mut keeper = Self { socket: ours, process, walled, launcher: launcher.clone() };
        match keeper.first_word() {
            Ok(Ready::Here) => Ok(keeper),
            Ok(Ready::Unprotected { missing }) => Err(Error::Unprotected { missing }),
            Ok(Ready::OtherVersion { version }) => {
                Err(Error::OtherVersion { program: launcher.path().to_owned(), version })
            }
            Err(error) => {
                // Another program than ours need not end when the socket does.
                let _ = keeper.process.kill();
                Err(Error::Keeper(error))
            }
        }
    }

    /// What the keeper says when it is there.
    fn first_word(&self) -> io::Result<Ready> {
        let program = self.launcher.path().display();
        let began = Instant::now();
        while let Some(left) = START.checked_sub(began.elapsed()) {
            if wait::first_of([Some(self.socket.as_fd())], left)? == [true] {
                let gone = || io::Error::other(format!("{program} is no keeper: it ended without a word"));
                return wire::receive::<Ready>(&self.socket)?.map(|(ready, _)| ready).ok_or_else(gone);
            }
        }
        Err(io::Error::other(format!("{program} is no keeper: it said nothing for {} seconds", START.as_secs())))
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // The keeper ends when its socket does.
        let _ = rustix::net::shutdown(&self.socket, Shutdown::Both);
        let _ = self.process.wait();
    }
}
