//! The sandbox as its users see it: started once, then asked to run things.

use std::ffi::{CString, NulError, OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::net::{AddressFamily, Shutdown, SocketFlags, SocketType};
use rustix::pipe::PipeFlags;
use tempfile::TempDir;

use crate::command::{Command, INPUT, SCRATCH};
use crate::outcome::{End, Outcome, Usage};
use crate::scratch::Scratch;
use crate::wire::{self, Descriptors, RawEnd, Ready, Report, Request};
use crate::{keeper, probe, sys, verdict};

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

/// Why the sandbox could not do its work. How a guest ended is never an error: see [`End`].
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
    socket: Option<OwnedFd>,
    process: Mutex<Child>,
    walled: bool,
}

/// How long after its time limit a run may take to be cleaned up before it is given up as lost.
const GRACE: Duration = Duration::from_secs(30);

/// A time to wait for that no clock overflows on, and that nobody sees the end of.
const LONGEST_PATIENCE: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

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
            false => Some(open_folder(command).map_err(Error::Begin)?),
        };
        match request(command, folder.as_ref().map(TempDir::path)) {
            Ok(request) => Run::begin(&self.keeper, command, &request).map_err(Error::Begin)?.finish(command, folder),
            Err(why) => Ok(not_started(why)),
        }
    }
}

impl Keeper {
    fn start(walled: bool) -> Result<Self, Error> {
        let (ours, theirs) = socket_pair().map_err(Error::Keeper)?;
        let process = std::process::Command::new("/proc/self/exe")
            .env_clear()
            .env(keeper::MARK, if walled { keeper::WALLED } else { keeper::OPEN })
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(Error::Keeper)?;
        let keeper = Self { socket: Some(ours), process: Mutex::new(process), walled };
        match wire::receive::<Ready>(keeper.socket()) {
            Ok(Some((Ready { failure: None }, _))) => Ok(keeper),
            Ok(Some((Ready { failure: Some(missing) }, _))) => Err(Error::Unprotected { missing }),
            Ok(None) => Err(Error::Keeper(io::ErrorKind::UnexpectedEof.into())),
            Err(error) => Err(Error::Keeper(error)),
        }
    }

    fn socket(&self) -> &OwnedFd {
        match &self.socket {
            Some(socket) => socket,
            None => unreachable!("taken only when dropped"),
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // The keeper ends when its socket does.
        drop(self.socket.take());
        let _ = self.process.lock().unwrap_or_else(PoisonError::into_inner).wait();
    }
}

/// A run under way, as its caller sees it.
struct Run {
    report: OwnedFd,
    stdout: Stream,
    stderr: Stream,
    deadline: Instant,
}

/// One of the guest's output streams.
struct Stream {
    from: Option<File>,
    kept: Vec<u8>,
}

impl Run {
    fn begin(keeper: &Keeper, command: &Command, request: &Request) -> io::Result<Self> {
        let (stdout_reader, stdout) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
        let (stderr_reader, stderr) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
        let (report, wardens_report) = socket_pair()?;
        let request = sys::sealed_memory(c"request", &serde_json::to_vec(request)?)?;
        let stdin = match command.stdin.is_empty() {
            true => File::open("/dev/null")?.into(),
            false => sys::sealed_memory(c"stdin", &command.stdin)?,
        };
        let descriptors = Descriptors {
            request: request.as_fd(),
            stdin: stdin.as_fd(),
            stdout: stdout.as_fd(),
            stderr: stderr.as_fd(),
            report: wardens_report.as_fd(),
        };
        wire::send(keeper.socket(), &(), &descriptors.as_array())?;
        let patience = command.limits.wall.saturating_add(GRACE).min(LONGEST_PATIENCE);
        let deadline = Instant::now() + patience;
        Ok(Self { report, stdout: Stream::new(stdout_reader), stderr: Stream::new(stderr_reader), deadline })
    }

    fn finish(mut self, command: &Command, folder: Option<TempDir>) -> Result<Outcome, Error> {
        let mut room = command.limits.output;
        let mut over_output = false;
        let mut told: Option<(Report, Vec<OwnedFd>)> = None;
        while told.is_none() || self.stdout.is_open() || self.stderr.is_open() {
            let ready = self.poll(told.is_none())?;
            for (stream, ready) in [(&mut self.stdout, ready.stdout), (&mut self.stderr, ready.stderr)] {
                if ready && !stream.read(&mut room).map_err(Error::Begin)? && !over_output {
                    over_output = true;
                    // The warden takes the end of our words as the order to end the run.
                    let _ = rustix::net::shutdown(&self.report, Shutdown::Write);
                }
            }
            if ready.report {
                told = Some(wire::receive(&self.report).map_err(Error::Begin)?.ok_or(Error::Lost)?);
            }
        }
        let Some((report, mut descriptors)) = told else { return Err(Error::Lost) };
        let end = match report.end {
            _ if over_output => End::OverOutput,
            RawEnd::Exited(verdict::EXIT_CODE) if command.sanitized => match verdict::find(&self.stderr.kept) {
                Some(verdict) => End::Sanitizer(verdict),
                None => End::Exited(verdict::EXIT_CODE),
            },
            RawEnd::Exited(code) => End::Exited(code),
            RawEnd::Signalled(signal) => End::Signalled(signal),
            RawEnd::TimedOut => End::TimedOut,
            RawEnd::OverMemory => End::OverMemory,
            RawEnd::Cancelled => return Err(Error::Lost),
            RawEnd::CouldNotStart(why) => End::CouldNotStart(why),
        };
        Ok(Outcome {
            end,
            stdout: self.stdout.kept,
            stderr: self.stderr.kept,
            usage: Usage { wall: report.wall, cpu: report.cpu, peak_memory: report.peak_memory },
            left_behind: report.left_behind,
            scratch_full: report.scratch_full,
            scratch: descriptors.pop().map(|root| Scratch::new(root, folder)),
        })
    }

    fn poll(&self, report_wanted: bool) -> Result<Readiness, Error> {
        let left = self.deadline.checked_duration_since(Instant::now()).ok_or(Error::Lost)?;
        let left = rustix::time::Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
        let sources = [self.stdout.from.as_ref(), self.stderr.from.as_ref()];
        let mut polled: Vec<PollFd<'_>> = sources
            .into_iter()
            .flatten()
            .map(AsFd::as_fd)
            .chain(report_wanted.then_some(self.report.as_fd()))
            .map(|descriptor| PollFd::from_borrowed_fd(descriptor, PollFlags::IN))
            .collect();
        match rustix::event::poll(&mut polled, Some(&left)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(Error::Begin(error.into())),
        }
        let mut answers = polled.iter().map(|one| !one.revents().is_empty());
        let mut next = |asked: bool| asked && answers.next().unwrap_or(false);
        Ok(Readiness {
            stdout: next(self.stdout.is_open()),
            stderr: next(self.stderr.is_open()),
            report: next(report_wanted),
        })
    }
}

/// Which of a run's descriptors have something to say.
struct Readiness {
    stdout: bool,
    stderr: bool,
    report: bool,
}

impl Stream {
    fn new(from: OwnedFd) -> Self {
        Self { from: Some(from.into()), kept: Vec::new() }
    }

    fn is_open(&self) -> bool {
        self.from.is_some()
    }

    /// Reads what is there; false if it is more than the room that is left.
    fn read(&mut self, room: &mut u64) -> io::Result<bool> {
        let Some(from) = &mut self.from else { return Ok(true) };
        let mut chunk = [0; 64 * 1024];
        let count = from.read(&mut chunk)?;
        if count == 0 {
            self.from = None;
        }
        let kept = count.min(usize::try_from(*room).unwrap_or(usize::MAX));
        self.kept.extend_from_slice(&chunk[..kept]);
        *room -= kept as u64;
        Ok(kept == count)
    }
}

fn socket_pair() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(rustix::net::socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?)
}

fn not_started(why: String) -> Outcome {
    Outcome {
        end: End::CouldNotStart(why),
        stdout: Vec::new(),
        stderr: Vec::new(),
        usage: Usage::default(),
        left_behind: 0,
        scratch_full: false,
        scratch: None,
    }
}

/// Where there are no walls: a folder of the host that stands for the guest's view, with `scratch` and `input` in it.
fn open_folder(command: &Command) -> io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("estrange-").tempdir()?;
    std::fs::create_dir_all(folder.path().join("scratch/.tmp"))?;
    std::fs::create_dir(folder.path().join("input"))?;
    for input in &command.inputs {
        std::os::unix::fs::symlink(std::fs::canonicalize(&input.host)?, folder.path().join("input").join(&input.name))?;
    }
    Ok(folder)
}

/// The command in the kernel's terms; with a `folder`, the guest's paths are those below it.
fn request(command: &Command, folder: Option<&Path>) -> Result<Request, String> {
    let place = |text: &OsStr| -> OsString {
        match folder {
            Some(folder) if Path::new(text).starts_with(SCRATCH) || Path::new(text).starts_with(INPUT) => {
                folder.join(text.to_string_lossy().trim_start_matches('/')).into_os_string()
            }
            _ => text.to_owned(),
        }
    };
    let string = |text: &OsStr| -> Result<CString, String> {
        CString::new(place(text).as_bytes())
            .map_err(|_: NulError| format!("{:?} has a zero byte in it", text.to_string_lossy()))
    };
    let strings = |texts: Vec<OsString>| texts.iter().map(|text| string(text)).collect::<Result<Vec<_>, _>>();
    let arguments = [vec![command.program.clone().into_os_string()], command.arguments.clone()].concat();
    let inputs = if folder.is_some() { Vec::new() } else { resolve_inputs(command)? };
    Ok(Request {
        programs: strings(candidates(&command.program))?,
        arguments: strings(arguments)?,
        environment: environment(command, &place)
            .into_iter()
            .map(|(name, value)| string(&[name.as_os_str(), &value].join(OsStr::new("="))))
            .collect::<Result<Vec<_>, _>>()?,
        directory: string(command.directory.as_os_str())?,
        scratch: string(OsStr::new(SCRATCH))?,
        inputs,
        limits: command.limits,
        keep_scratch: command.keep_scratch,
    })
}

/// The folders in which a program given by name is looked for.
const PATH: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

fn candidates(program: &Path) -> Vec<OsString> {
    match program.components().count() {
        1 if program.is_relative() => PATH.iter().map(|folder| Path::new(folder).join(program).into()).collect(),
        _ => vec![program.into()],
    }
}

fn environment(command: &Command, place: &dyn Fn(&OsStr) -> OsString) -> Vec<(OsString, OsString)> {
    let mut all: Vec<(OsString, OsString)> = vec![
        ("PATH".into(), PATH.join(":").into()),
        ("HOME".into(), place(OsStr::new(SCRATCH))),
        ("TMPDIR".into(), place(&Path::new(SCRATCH).join(".tmp").into_os_string())),
        ("LC_ALL".into(), "C.UTF-8".into()),
    ];
    if command.sanitized {
        all.extend(verdict::environment().map(|(name, value)| (name.into(), value.into())));
    }
    for (name, value) in &command.environment {
        all.retain(|(preset, _)| preset != name);
        all.push((name.clone(), value.clone()));
    }
    all
}

fn resolve_inputs(command: &Command) -> Result<Vec<(CString, CString)>, String> {
    let mut resolved = Vec::new();
    for input in &command.inputs {
        let mut parts = Path::new(&input.name).components();
        if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) || input.name.contains('/') {
            return Err(format!("{:?} is no plain name for an input", input.name));
        }
        let host: PathBuf = std::fs::canonicalize(&input.host)
            .map_err(|error| format!("its input {} cannot be found: {error}", input.host.display()))?;
        let zero = |_: NulError| "an input's name has a zero byte in it".to_owned();
        let host = CString::new(host.into_os_string().as_bytes()).map_err(zero)?;
        resolved.push((host, CString::new(input.name.as_bytes()).map_err(zero)?));
    }
    Ok(resolved)
}
