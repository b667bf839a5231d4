//! Running our own tools: programs we trust (a compiler, `git`, `apt-get`), with a time limit and bounded output.
//!
//! Foreign code never runs here; that is what [`crate::Sandbox`] is for. But foreign *text* drives a compiler, an assembler
//! or a linker as a program drives a processor: a line of it makes them read any file. What reads such text is confined
//! ([`crate::Sandbox::tool`]).

mod confined;

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use estrange_words::Hint;

use crate::error::Error;
use crate::sandbox::Sandbox;
use crate::wire::Access;
use crate::{sys, wait};

/// A trusted program to run.
#[derive(Debug, Clone)]
pub struct Tool {
    pub(crate) program: OsString,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) environment: Vec<(OsString, OsString)>,
    pub(crate) directory: Option<PathBuf>,
    pub(crate) wall: Duration,
    pub(crate) memory: Option<u64>,
    pub(crate) places: Vec<(PathBuf, Access)>,
    /// What confines it.
    sandbox: Option<Sandbox>,
}

/// What a tool printed, and how it ended.
#[derive(Debug)]
pub struct ToolOutput {
    /// How it ended.
    pub end: ToolEnd,
    /// Standard output, up to the bound.
    pub stdout: Vec<u8>,
    /// Standard error, up to the bound.
    pub stderr: Vec<u8>,
}

/// How a tool ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolEnd {
    /// By itself, with this exit code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// At its time limit, by us.
    TimedOut,
    /// By us, since it was confined and took more memory than there is for it.
    OverMemory,
    /// By us, since it was confined and printed more than is kept.
    OverOutput,
}

impl fmt::Display for ToolEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToolEnd::Exited(code) => write!(f, "exited with code {code}"),
            ToolEnd::Signalled(signal) => write!(f, "was ended by signal {signal}"),
            ToolEnd::TimedOut => f.write_str("reached its time limit"),
            ToolEnd::OverMemory => f.write_str("took too much memory"),
            ToolEnd::OverOutput => f.write_str("wrote too much"),
        }
    }
}

/// Why a tool could not be run at all.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// It is not installed.
    #[error("{program} is not installed")]
    Missing {
        /// The program that was looked for.
        program: String,
    },
    /// The system would not start it.
    #[error("{program} could not be started: {source}")]
    Start {
        /// The program.
        program: String,
        /// The system's answer.
        source: io::Error,
    },
    /// What confines it could not do its work.
    #[error("{program} could not be confined: {source}")]
    Confine {
        /// The program.
        program: String,
        /// What happened.
        source: Error,
    },
}

impl Hint for ToolError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Missing { .. } | Self::Start { .. } => {
                Some("`estrange doctor` says what is missing, and how to install it".into())
            }
            Self::Confine { source, .. } => source.hint(),
        }
    }
}

impl Sandbox {
    /// A run of a program of ours that reads foreign text: it is confined, and sees no file but the system's own software
    /// and the places that it is shown ([`Tool::reads`], [`Tool::works_in`]). Where nothing can be confined and
    /// `Protection::Waived` was said, it runs as any tool.
    pub fn tool(&self, program: impl Into<OsString>) -> Tool {
        Tool::confined(program, self.clone())
    }
}

impl Tool {
    /// A run of `program`, found in `PATH`; ten minutes and 64 MiB of output unless told. It is not confined: not for what
    /// reads foreign text.
    pub fn new(program: impl Into<OsString>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            directory: None,
            wall: Duration::from_secs(600),
            memory: None,
            places: Vec::new(),
            sandbox: None,
        }
    }

    pub(crate) fn confined(program: impl Into<OsString>, sandbox: Sandbox) -> Self {
        Self { sandbox: Some(sandbox), ..Self::new(program) }
    }

    /// Adds one argument.
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Adds several arguments.
    pub fn arguments<I: IntoIterator<Item: Into<OsString>>>(mut self, arguments: I) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Sets a variable of its environment, over the inherited ones; a confined tool inherits none.
    pub fn environment(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Sets the working directory. A confined tool must be shown it, too.
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Sets the time limit.
    pub fn wall(mut self, wall: Duration) -> Self {
        self.wall = wall;
        self
    }

    /// Bounds the memory that each of its processes may ask the system for; there is no bound unless told.
    ///
    /// A trusted tool that reads foreign text does what the text says, such as to include `/dev/zero`.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Shows a confined tool a file or folder of the host, under its own name. What is not there is not shown.
    pub fn reads(self, path: impl Into<PathBuf>) -> Self {
        self.shows(path, Access::Read)
    }

    /// Shows a confined tool a library, as [`Self::reads`] does; it may be loaded as code.
    pub fn loads(self, library: impl Into<PathBuf>) -> Self {
        self.shows(library, Access::Load)
    }

    /// Sets the working directory, in which a confined tool may write: there and nowhere else that outlives it.
    pub fn works_in(self, directory: impl Into<PathBuf>) -> Self {
        let directory = directory.into();
        self.directory(&directory).shows(directory, Access::Write)
    }

    fn shows(mut self, path: impl Into<PathBuf>, access: Access) -> Self {
        self.places.push((path.into(), access));
        self
    }

    /// Runs it to its end.
    pub fn run(&self) -> Result<ToolOutput, ToolError> {
        match &self.sandbox {
            Some(sandbox) if sandbox.is_protected() => confined::run(self, sandbox),
            _ => self.run_watched(|_| ()),
        }
    }

    /// Runs it to its end, not confined, and hands each line of standard error to `on_line` as it comes, for progress.
    pub fn run_watched(&self, on_line: impl FnMut(&str)) -> Result<ToolOutput, ToolError> {
        let mut child = self.spawn()?;
        let watched = self.watch(&mut child, on_line);
        if watched.is_err() {
            end_group(&mut child);
        }
        watched.map_err(|source| ToolError::Start { program: self.name(), source })
    }

    /// Reads until the tool has ended or its time is over. What it left running is not waited for.
    fn watch(&self, child: &mut Child, on_line: impl FnMut(&str)) -> io::Result<ToolOutput> {
        let started = Instant::now();
        let process =
            rustix::process::pidfd_open(rustix::process::Pid::from_child(child), rustix::process::PidfdFlags::empty())?;
        let mut stdout = Reader::new(child.stdout.take().map(OwnedFd::from), |_: &str| ());
        let mut stderr = Reader::new(child.stderr.take().map(OwnedFd::from), on_line);
        let end = loop {
            let Some(left) = self.wall.checked_sub(started.elapsed()).filter(|left| !left.is_zero()) else {
                end_group(child);
                break ToolEnd::TimedOut;
            };
            let ready = wait::first_of([Some(process.as_fd()), stdout.descriptor(), stderr.descriptor()], left)?;
            stdout.read(ready[1])?;
            stderr.read(ready[2])?;
            if ready[0] {
                let status = child.wait()?;
                break match (status.code(), status.signal()) {
                    (Some(code), _) => ToolEnd::Exited(code),
                    (None, signal) => ToolEnd::Signalled(signal.unwrap_or_default()),
                };
            }
        };
        // What it wrote last is in the pipes already.
        loop {
            let ready = wait::first_of([None, stdout.descriptor(), stderr.descriptor()], Duration::ZERO)?;
            if !ready[1] && !ready[2] {
                return Ok(ToolOutput { end, stdout: stdout.kept, stderr: stderr.kept });
            }
            stdout.read(ready[1])?;
            stderr.read(ready[2])?;
        }
    }

    fn spawn(&self) -> Result<Child, ToolError> {
        let mut command = std::process::Command::new(&self.program);
        command.args(&self.arguments).envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own, so that a time-out ends its children too; and an end with ours.
        command.process_group(0);
        sys::end_with_this_thread(&mut command);
        if let Some(bytes) = self.memory {
            sys::limit_memory(&mut command, bytes);
        }
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command.spawn().map_err(|source| match source.kind() {
            io::ErrorKind::NotFound if self.directory.as_ref().is_none_or(|d| d.is_dir()) => {
                ToolError::Missing { program: self.name() }
            }
            _ => ToolError::Start { program: self.name(), source },
        })
    }

    pub(crate) fn name(&self) -> String {
        self.program.to_string_lossy().into_owned()
    }
}

impl ToolOutput {
    /// Whether it ended by itself with exit code 0.
    pub fn success(&self) -> bool {
        self.end == ToolEnd::Exited(0)
    }

    /// Standard output as text, with anything that is not UTF-8 replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// The last lines of standard error, for an error message.
    pub fn last_words(&self, lines: usize) -> String {
        let text = String::from_utf8_lossy(&self.stderr);
        let all: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        all[all.len().saturating_sub(lines)..].join("\n")
    }
}

/// Ends a tool and all of its group.
fn end_group(child: &mut Child) {
    let group = rustix::process::Pid::from_child(child);
    let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    let _ = child.wait();
}

/// One of a tool's streams: keeps its first bytes, and hands out each line as it is complete.
struct Reader<L> {
    from: Option<File>,
    kept: Vec<u8>,
    line: Vec<u8>,
    on_line: L,
}

impl<L: FnMut(&str)> Reader<L> {
    fn new(from: Option<OwnedFd>, on_line: L) -> Self {
        Self { from: from.map(File::from), kept: Vec::new(), line: Vec::new(), on_line }
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.from.as_ref().map(AsFd::as_fd)
    }

    fn read(&mut self, is_ready: bool) -> io::Result<()> {
        let Some(from) = self.from.as_mut().filter(|_| is_ready) else { return Ok(()) };
        let mut chunk = [0; 64 * 1024];
        let count = from.read(&mut chunk)?;
        if count == 0 {
            self.from = None;
        }
        let room = OUTPUT.saturating_sub(self.kept.len());
        self.kept.extend_from_slice(&chunk[..count.min(room)]);
        for &byte in &chunk[..count] {
            if byte == b'\n' || byte == b'\r' {
                (self.on_line)(&String::from_utf8_lossy(&self.line));
                self.line.clear();
            } else if self.line.len() < LONGEST_LINE {
                self.line.push(byte);
            }
        }
        Ok(())
    }
}

/// How much of each stream is kept.
pub(crate) const OUTPUT: usize = 64 * 1024 * 1024;
/// How much of a line is handed out.
const LONGEST_LINE: usize = 4096;
