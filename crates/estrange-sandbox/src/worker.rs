//! Workers: copies of our executable that do one kind of work of ours, request by request, where a crash, a hang or
//! a hunger for memory costs the request at hand and nothing else.
//!
//! Workers run code of ours that is known to break, not foreign code: they have limits. One that reads foreign text (a
//! parser, say) goes behind walls before it answers: see [`crate::Workshop::pool`].
//! [`service!`](crate::service) says what the work is; a [`Pool`] does it in several processes.

mod frame;
mod pool;
mod process;
mod serve;

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};

pub use pool::Pool;
#[doc(hidden)]
pub use serve::serve_if_marked;

use crate::launcher::Launcher;
use crate::outcome::Usage;
use crate::wire::Access;
use frame::{Filled, Frame, Inbox, Outbox};
use process::Process;

/// How long a worker may take to say that it is there.
const START: Duration = Duration::from_secs(30);
/// How often a worker's memory is looked at.
const TICK: Duration = Duration::from_millis(20);
/// How much of what a worker wrote last to standard error is kept.
const TAIL: usize = 16 * 1024;

/// What answers a request: it gets the request and a way to send notes, which reach the caller in their order and
/// before the answer.
pub type Answer = fn(&[u8], &mut dyn FnMut(&[u8])) -> Vec<u8>;

/// The work that a worker does; made by [`service!`](crate::service).
#[derive(Debug)]
pub struct Service {
    name: &'static str,
    answer: Answer,
    environment: &'static [&'static str],
    /// What makes an executable a worker. Whoever has the service refers to it, so no linker leaves it out.
    _before_main: &'static extern "C" fn(),
}

impl Service {
    #[doc(hidden)]
    pub const fn new(
        name: &'static str,
        answer: Answer,
        environment: &'static [&'static str],
        before_main: &'static extern "C" fn(),
    ) -> Self {
        Self { name, answer, environment, _before_main: before_main }
    }

    /// Its name, unique in the program.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

/// Says what a kind of worker does: `service!(pub static PARSER = parse);`, where `parse` is an
/// [`Answer`].
///
/// A worker sees no variable of its caller's environment but those that processes need to run at all (`PATH`, `HOME`,
/// `TMPDIR`, `LD_LIBRARY_PATH`), so that what it answers depends on the request; others are let through by name, or
/// set: `service!(static PARSER = parse, environment ["LIBRARY_PATH", "THREADS=1"]);`.
#[macro_export]
macro_rules! service {
    ($(#[$attribute:meta])* $visibility:vis static $name:ident = $answer:path $(, environment [$($variable:expr),* $(,)?])? $(,)?) => {
        $(#[$attribute])*
        $visibility static $name: $crate::Service = {
            extern "C" fn serve_if_marked() {
                $crate::serve_if_marked(&$name);
            }
            #[allow(unsafe_code, reason = "the linker section in which start-up functions are listed")]
            #[used]
            // SAFETY: the section holds function pointers of this very type, which the C library calls before main.
            #[unsafe(link_section = ".init_array")]
            static BEFORE_MAIN: extern "C" fn() = serve_if_marked;
            $crate::Service::new(
                concat!(module_path!(), "::", stringify!($name)),
                $answer,
                &[$($($variable),*)?],
                &BEFORE_MAIN,
            )
        };
    };
}

/// What a worker may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkerLimits {
    /// Resident memory, in bytes; 4 GiB unless told. It is looked at every 20 ms, so a worker can pass it for a moment;
    /// its address space ends at twice as much, or 1 GiB more where that is more.
    pub memory: u64,
}

impl Default for WorkerLimits {
    fn default() -> Self {
        Self { memory: 4 << 30 }
    }
}

/// Why there is no answer. The worker is gone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorkerEnd {
    /// It crashed over the request.
    #[error("the worker {crash}{}", last_words(stderr))]
    Crashed {
        /// How.
        crash: Crash,
        /// The last of what it wrote to standard error during the request: a panic's message is there.
        stderr: String,
    },
    /// It had no answer in time.
    #[error("the worker reached its time limit")]
    TimedOut,
    /// It passed its memory limit.
    #[error("the worker passed its memory limit")]
    OverMemory,
    /// It could not be started, for this reason; that says nothing about the request.
    #[error("a worker could not be started: {0}")]
    CouldNotStart(String),
    /// [`Pool::stop`] was called; that says nothing about the request.
    #[error("the workers were stopped")]
    Stopped,
}

/// How a worker crashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crash {
    /// By this signal; a stack overflow is `SIGSEGV`.
    Signalled(i32),
    /// It left with this exit code; after a panic it is 101.
    Exited(i32),
}

impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Crash::Signalled(signal) => write!(f, "was ended by signal {signal}"),
            Crash::Exited(code) => write!(f, "exited with code {code}"),
        }
    }
}

/// The last line that says something, to stand behind an error.
fn last_words(stderr: &str) -> Cow<'_, str> {
    match stderr.lines().rev().map(str::trim).find(|line| !line.is_empty()) {
        Some(line) => format!(": {line}").into(),
        None => "".into(),
    }
}

/// What workers behind walls are shown beyond the system's own software.
pub(crate) type WorkerWalls = Vec<(PathBuf, Access)>;

/// How a worker is started.
#[derive(Debug)]
pub(crate) struct Setup {
    launcher: Launcher,
    service: &'static Service,
    limits: WorkerLimits,
    walls: Option<WorkerWalls>,
    /// Set in its environment, after what its service says.
    variables: Vec<(&'static str, OsString)>,
}

impl Setup {
    fn new(launcher: &Launcher, service: &'static Service, limits: WorkerLimits) -> Self {
        Self { launcher: launcher.clone(), service, limits, walls: None, variables: Vec::new() }
    }
}

/// One worker process. It ends with its `Worker`, and with this process.
#[derive(Debug)]
pub struct Worker {
    process: Arc<Process>,
    socket: OwnedFd,
    stderr: Option<OwnedFd>,
    tail: Vec<u8>,
    inbox: Inbox,
    limits: WorkerLimits,
    asked: Instant,
    looked: Instant,
    end: Option<WorkerEnd>,
}

impl Worker {
    /// Starts a worker and waits until it is there.
    pub fn start(launcher: &Launcher, service: &'static Service, limits: WorkerLimits) -> Result<Self, WorkerEnd> {
        Self::start_as(&Setup::new(launcher, service, limits))
    }

    fn start_as(setup: &Setup) -> Result<Self, WorkerEnd> {
        let limits = setup.limits;
        let could_not = |error: io::Error| WorkerEnd::CouldNotStart(error.to_string());
        let (process, socket, stderr) = Process::start(setup).map_err(could_not)?;
        let mut worker = Self {
            process: Arc::new(process),
            socket,
            stderr: Some(stderr),
            tail: Vec::new(),
            inbox: Inbox::new(limits.memory),
            limits,
            asked: Instant::now(),
            looked: Instant::now(),
            end: None,
        };
        match worker.listen(Outbox::empty(), START, &mut |_| ()) {
            Ok(_ready) => Ok(worker),
            Err(end) => Err(WorkerEnd::CouldNotStart(end.to_string())),
        }
    }

    /// Has one request answered, within `wall`, and hands each note to `note` as it comes.
    ///
    /// After an error the worker is gone, and every further request gets the same error.
    pub fn ask(&mut self, request: &[u8], wall: Duration, note: &mut dyn FnMut(&[u8])) -> Result<Vec<u8>, WorkerEnd> {
        if let Some(end) = &self.end {
            return Err(end.clone());
        }
        self.read_stderr();
        self.tail.clear();
        self.listen(Outbox::new(request), wall, note)
    }

    /// What it has used so far, or in its whole life if it has ended.
    pub fn usage(&self) -> Usage {
        self.process.usage()
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Whether it is there and has nothing to say, as between two requests.
    fn is_ready(&self) -> bool {
        let mut polled = [PollFd::new(&self.socket, PollFlags::IN | PollFlags::RDHUP)];
        self.end.is_none() && rustix::event::poll(&mut polled, Some(&process::timespec(Duration::ZERO))) == Ok(0)
    }

    /// Sends what is to be sent and gives the answer to it, or ends the worker.
    fn listen(&mut self, out: Outbox<'_>, wall: Duration, note: &mut dyn FnMut(&[u8])) -> Result<Vec<u8>, WorkerEnd> {
        match self.converse(out, wall, note) {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(Trouble::TimedOut)) => Err(self.finish(Some(WorkerEnd::TimedOut))),
            Ok(Err(Trouble::OverMemory)) => Err(self.finish(Some(WorkerEnd::OverMemory))),
            Ok(Err(Trouble::Gone)) => Err(self.finish(None)),
            Err(error) => {
                // It has written over its own memory, as like as not.
                let stderr = format!("it cannot be talked to any longer: {error}");
                Err(self.finish(Some(WorkerEnd::Crashed { crash: Crash::Signalled(libc::SIGKILL), stderr })))
            }
        }
    }

    fn converse(
        &mut self,
        mut out: Outbox<'_>,
        wall: Duration,
        note: &mut dyn FnMut(&[u8]),
    ) -> io::Result<Result<Vec<u8>, Trouble>> {
        self.asked = Instant::now();
        loop {
            if !out.is_sent() && !out.send(&self.socket)? {
                return Ok(Err(Trouble::Gone));
            }
            while let Some(frame) = self.inbox.next()? {
                match frame {
                    Frame::Note(text) => note(&text),
                    Frame::Answer(answer) => return Ok(Ok(answer)),
                }
            }
            let Some(left) = wall.checked_sub(self.asked.elapsed()).filter(|left| !left.is_zero()) else {
                return Ok(Err(Trouble::TimedOut));
            };
            if self.looked.elapsed() >= TICK && self.look() > self.limits.memory {
                return Ok(Err(Trouble::OverMemory));
            }
            let writing = if out.is_sent() { PollFlags::empty() } else { PollFlags::OUT };
            let mut polled = vec![PollFd::new(&self.socket, PollFlags::IN | writing)];
            polled.extend(self.stderr.as_ref().map(|stderr| PollFd::new(stderr, PollFlags::IN)));
            match rustix::event::poll(&mut polled, Some(&process::timespec(left.min(TICK)))) {
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            }
            let heard = !polled[0].revents().difference(PollFlags::OUT).is_empty();
            let complained = polled.get(1).is_some_and(|stderr| !stderr.revents().is_empty());
            if complained {
                self.read_stderr();
            }
            if heard && self.inbox.fill(self.socket.as_fd())? == Filled::End {
                return Ok(Err(Trouble::Gone));
            }
        }
    }

    /// The bytes it has in memory now.
    fn look(&mut self) -> u64 {
        self.looked = Instant::now();
        self.process.resident()
    }

    /// Whether it holds more memory than this after a request, as far as looking now and then can tell.
    fn has_kept_more_than(&mut self, most: u64) -> bool {
        // Next to so long a request, a look costs nothing.
        let is_worth_a_look = self.asked.elapsed() > Duration::from_millis(1) || self.looked.elapsed() >= TICK;
        is_worth_a_look && self.look() > most
    }

    /// Ends it, and says how it ended: as it is told, or else by its own doing.
    fn finish(&mut self, known: Option<WorkerEnd>) -> WorkerEnd {
        self.process.kill();
        let ended = self.process.wait();
        self.read_stderr();
        let over = ended.is_some_and(|ended| ended.usage.peak_memory > self.limits.memory);
        let end = known.unwrap_or_else(|| match ended.map(|ended| ended.crash) {
            _ if over || is_out_of_memory(&self.tail) => WorkerEnd::OverMemory,
            Some(crash) => WorkerEnd::Crashed { crash, stderr: String::from_utf8_lossy(&self.tail).trim().to_owned() },
            None => WorkerEnd::CouldNotStart("it ended unseen: this process ignores the end of its children".into()),
        });
        self.end = Some(end.clone());
        end
    }

    /// Takes what it has written to standard error, and keeps the last of it.
    fn read_stderr(&mut self) {
        let mut chunk = [0; 4096];
        while let Some(stderr) = &self.stderr {
            match rustix::io::read(stderr, &mut chunk) {
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => break,
                Ok(0) | Err(_) => self.stderr = None,
                Ok(count) => {
                    self.tail.extend_from_slice(&chunk[..count]);
                    if self.tail.len() > 2 * TAIL {
                        self.tail.drain(..self.tail.len() - TAIL);
                    }
                }
            }
        }
        let excess = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..excess);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.process.kill();
        self.process.wait();
    }
}

/// Why a conversation ended without an answer.
enum Trouble {
    TimedOut,
    OverMemory,
    Gone,
}

/// Whether a program's last words are those with which the run-time libraries of Rust and C++, and LLVM, give up when
/// the address space is at its end: resident memory does not show that.
fn is_out_of_memory(tail: &[u8]) -> bool {
    let text = String::from_utf8_lossy(tail);
    let rust = text.contains("memory allocation of ") && text.contains(" bytes failed");
    rust || text.contains("std::bad_alloc") || text.contains("LLVM ERROR: out of memory")
}
