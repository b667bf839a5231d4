//! A worker as a process: started, watched from outside, ended, and counted.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::net::{AddressFamily, SocketFlags, SocketType};
use rustix::pipe::PipeFlags;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

use super::serve::{self, MARK};
use super::{Crash, Setup};
use crate::outcome::Usage;
use crate::places::places;
use crate::sys;
use crate::wire::{Furniture, Role};

/// The variables that every worker gets from its caller: without them a process may not find its libraries, its
/// programs, or room for a file.
const ENVIRONMENT: [&str; 4] = ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"];

/// The least address space that a worker gets beyond its memory: stacks, libraries and what allocators set aside.
const ADDRESS_SPACE: u64 = 1 << 30;

/// A worker's process, which may be asked and ended from any thread.
#[derive(Debug)]
pub struct Process {
    pid: Pid,
    started: Instant,
    /// The most that we had in memory ourselves: the kernel counts that to a process that we started, though it never
    /// had it. Only what is clearly more is the worker's own.
    inherited_peak: u64,
    /// The most that it was seen to have.
    seen_peak: AtomicU64,
    /// How it ended, once it is buried. Before that, its number is nobody else's.
    ended: Mutex<Option<Ended>>,
}

/// How a process ended, and what it used.
#[derive(Debug, Clone, Copy)]
pub struct Ended {
    pub crash: Crash,
    pub usage: Usage,
}

impl Process {
    /// Starts one; with it come our ends of its socket and of its standard error.
    pub fn start(setup: &Setup) -> io::Result<(Self, OwnedFd, OwnedFd)> {
        let Setup { launcher, service, limits, walls, variables } = setup;
        if std::env::var_os(MARK).is_some() {
            return Err(io::Error::other("a worker starts no workers"));
        }
        let (socket, theirs) =
            rustix::net::socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
        let (stderr, their_stderr) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
        rustix::io::ioctl_fionbio(&stderr, true)?;
        let address_space = limits.memory.saturating_mul(2).max(limits.memory.saturating_add(ADDRESS_SPACE));
        let mut command = launcher.command();
        command.arg0(service.name).env_clear().env(MARK, serve::mark(service, address_space));
        for name in ENVIRONMENT.iter().chain(service.environment) {
            match name.split_once('=') {
                Some((name, value)) => command.env(name, value),
                None => command.envs(std::env::var_os(name).map(|value| (name, value))),
            };
        }
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        if let Some(shown) = walls {
            let furniture = Furniture { role: Role::Tool, inputs: Vec::new(), places: places(shown)? };
            command.env(serve::WALLS, serde_json::to_string(&furniture)?);
        }
        command.stdin(Stdio::from(theirs)).stdout(Stdio::null()).stderr(Stdio::from(their_stderr));
        // A group of its own: Ctrl-C does not reach it, and the end of its group is its end.
        command.process_group(0);
        let child = spawn(command)?;
        let process = Self {
            pid: Pid::from_child(&child),
            started: Instant::now(),
            inherited_peak: peak("self").unwrap_or(u64::MAX / 2),
            seen_peak: AtomicU64::new(0),
            ended: Mutex::new(None),
        };
        Ok((process, socket, stderr))
    }

    pub fn id(&self) -> u32 {
        self.pid.as_raw_nonzero().get().cast_unsigned()
    }

    /// Ends it now, with any process that it may have started, unless it is buried already.
    pub fn kill(&self) {
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        if ended.is_none() {
            let _ = rustix::process::kill_process(self.pid, Signal::KILL);
            let _ = rustix::process::kill_process_group(self.pid, Signal::KILL);
        }
    }

    /// Waits for its end and buries it; `None` if it was buried by somebody else.
    pub fn wait(&self) -> Option<Ended> {
        let known = *self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_some() {
            return known;
        }
        // Without the lock, so that others may look at it and end it meanwhile; therefore it is not buried by this.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        let wait = || rustix::process::waitid(WaitId::Pid(self.pid), options).err();
        while wait() == Some(rustix::io::Errno::INTR) {}
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        if ended.is_none() {
            let found = sys::reap_child(self.pid.as_raw_nonzero().get()).ok().flatten()?;
            let crash = match libc::WIFSIGNALED(found.status) {
                true => Crash::Signalled(libc::WTERMSIG(found.status)),
                false => Crash::Exited(libc::WEXITSTATUS(found.status)),
            };
            let own = Some(found.peak_memory).filter(|peak| *peak > self.inherited_peak + self.inherited_peak / 16);
            let peak_memory = own.unwrap_or(0).max(self.seen_peak.load(Ordering::Relaxed));
            *ended = Some(Ended { crash, usage: Usage { wall: self.started.elapsed(), cpu: found.cpu, peak_memory } });
        }
        *ended
    }

    /// What it has used, so far or in its whole life.
    pub fn usage(&self) -> Usage {
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        match *ended {
            Some(ended) => ended.usage,
            None => Usage {
                wall: self.started.elapsed(),
                cpu: sys::processor_time(self.pid.as_raw_nonzero().get()).unwrap_or_default(),
                peak_memory: peak(&self.id().to_string()).unwrap_or_else(|| self.seen_peak.load(Ordering::Relaxed)),
            },
        }
    }

    /// The bytes it has in memory now; none if it is gone.
    pub fn resident(&self) -> u64 {
        let pages = fs::read_to_string(format!("/proc/{}/statm", self.id())).ok();
        let resident = pages.and_then(|text| text.split(' ').nth(1)?.parse::<u64>().ok());
        let resident = resident.unwrap_or(0).saturating_mul(rustix::param::page_size() as u64);
        self.seen_peak.fetch_max(resident, Ordering::Relaxed);
        resident
    }
}

/// The most bytes that a living process has had in memory.
fn peak(process: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()?.saturating_mul(1024))
}

/// A length of time as the kernel takes it.
pub fn timespec(time: Duration) -> rustix::time::Timespec {
    let tv_sec = i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
    rustix::time::Timespec { tv_sec, tv_nsec: time.subsec_nanos().into() }
}

/// A process to start, and where to tell of it.
type Order = (Command, SyncSender<io::Result<Child>>);

/// Starts a process from a thread that ends only with this process.
///
/// The kernel ends a worker with the *thread* that started it, and the threads that ask may come and go.
fn spawn(command: Command) -> io::Result<Child> {
    static STARTER: Mutex<Option<Sender<Order>>> = Mutex::new(None);
    let (told, tell) = sync_channel(1);
    let mut starter = STARTER.lock().unwrap_or_else(PoisonError::into_inner);
    if starter.is_none() {
        let (orders, order) = channel::<Order>();
        std::thread::Builder::new().name("worker starter".to_owned()).spawn(move || {
            for (mut command, told) in order {
                let _ = told.send(command.spawn());
            }
        })?;
        *starter = Some(orders);
    }
    let gone = || io::Error::other("the thread that starts workers is gone");
    starter.as_ref().ok_or_else(gone)?.send((command, told)).map_err(|_| gone())?;
    drop(starter);
    tell.recv().map_err(|_| gone())?
}
