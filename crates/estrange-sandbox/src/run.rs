//! One run from its caller's side: asked for, listened to, summed up.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::net::Shutdown;
use rustix::pipe::PipeFlags;
use tempfile::TempDir;

use crate::command::Command;
use crate::error::Error;
use crate::outcome::{End, Outcome, Usage};
use crate::scratch::Scratch;
use crate::wire::{self, Descriptors, RawEnd, Report, Request};
use crate::{sys, verdict, wait};

/// How long after its time limit a run may take to be cleaned up before it is given up as lost.
const GRACE: Duration = Duration::from_secs(30);

/// A time to wait for that no clock overflows on, and that nobody sees the end of.
const LONGEST_PATIENCE: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

/// A run under way, as its caller sees it.
pub struct Run {
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

/// What came out of a run.
pub struct Gathered {
    pub report: Report,
    /// Whether it wrote more than it might, and was ended for that.
    pub over_output: bool,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// The scratch folder, if it was asked for.
    pub scratch: Option<OwnedFd>,
}

impl Run {
    /// Asks the keeper for the run.
    pub fn begin(keeper: &OwnedFd, stdin: &[u8], request: &Request) -> Result<Self, Error> {
        let (run, theirs) = Self::prepare(stdin, request).map_err(Error::Begin)?;
        wire::send(keeper, &(), &theirs.as_array()).map_err(Error::Keeper)?;
        Ok(run)
    }

    /// Our ends of everything that connects us with the run, and the other ends.
    fn prepare(stdin: &[u8], request: &Request) -> io::Result<(Self, Descriptors)> {
        let (stdout_reader, stdout) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
        let (stderr_reader, stderr) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
        let (report, wardens_report) = wire::connection()?;
        let patience = request.limits.wall.saturating_add(GRACE).min(LONGEST_PATIENCE);
        let request = sys::sealed_memory(c"request", &serde_json::to_vec(request)?)?;
        let stdin = match stdin.is_empty() {
            true => File::open("/dev/null")?.into(),
            false => sys::sealed_memory(c"stdin", stdin)?,
        };
        let theirs = Descriptors { request, stdin, stdout, stderr, report: wardens_report };
        let deadline = Instant::now() + patience;
        let ours = Self { report, stdout: Stream::new(stdout_reader), stderr: Stream::new(stderr_reader), deadline };
        Ok((ours, theirs))
    }

    /// Gathers what is written until the warden has reported; at most so many bytes.
    pub fn gather(mut self, output: u64) -> Result<Gathered, Error> {
        let mut room = output;
        let mut over_output = false;
        let mut told: Option<(Report, Vec<OwnedFd>)> = None;
        while told.is_none() || self.stdout.is_open() || self.stderr.is_open() {
            let left = self.deadline.checked_duration_since(Instant::now()).ok_or(Error::Lost)?;
            let report = told.is_none().then_some(self.report.as_fd());
            let asked = [self.stdout.descriptor(), self.stderr.descriptor(), report];
            let [stdout, stderr, report] = wait::first_of(asked, left).map_err(Error::Begin)?;
            for (stream, ready) in [(&mut self.stdout, stdout), (&mut self.stderr, stderr)] {
                if ready && !stream.read(&mut room).map_err(Error::Begin)? && !over_output {
                    over_output = true;
                    // The warden takes the end of our words as the order to end the run.
                    let _ = rustix::net::shutdown(&self.report, Shutdown::Write);
                }
            }
            if report {
                told = Some(wire::receive(&self.report).map_err(Error::Begin)?.ok_or(Error::Lost)?);
            }
        }
        let Some((report, mut descriptors)) = told else { return Err(Error::Lost) };
        if report.end == RawEnd::Cancelled && !over_output {
            return Err(Error::Lost);
        }
        let (stdout, stderr) = (self.stdout.kept, self.stderr.kept);
        Ok(Gathered { report, over_output, stdout, stderr, scratch: descriptors.pop() })
    }
}

impl Gathered {
    /// What a guest's command makes of it.
    pub fn into_outcome(self, command: &Command, folder: Option<TempDir>) -> Outcome {
        let report = self.report;
        let end = match report.end {
            _ if self.over_output => End::OverOutput,
            RawEnd::Exited(verdict::EXIT_CODE) if command.sanitized => match verdict::find(&self.stderr) {
                Some(verdict) => End::Sanitizer(verdict),
                None => End::Exited(verdict::EXIT_CODE),
            },
            RawEnd::Exited(code) => End::Exited(code),
            RawEnd::Signalled(signal) => End::Signalled(signal),
            RawEnd::TimedOut => End::TimedOut,
            RawEnd::OverMemory => End::OverMemory,
            RawEnd::Cancelled => End::CouldNotStart("it was cancelled".to_owned()),
            RawEnd::CouldNotStart(why) => End::CouldNotStart(why),
        };
        Outcome {
            end,
            stdout: self.stdout,
            stderr: self.stderr,
            usage: Usage { wall: report.wall, cpu: report.cpu, peak_memory: report.peak_memory },
            left_behind: report.left_behind,
            scratch_full: report.scratch_full,
            scratch: self.scratch.map(|root| Scratch::new(root, command.limits.disk, folder)),
        }
    }
}

impl Stream {
    fn new(from: OwnedFd) -> Self {
        Self { from: Some(from.into()), kept: Vec::new() }
    }

    fn is_open(&self) -> bool {
        self.from.is_some()
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.from.as_ref().map(AsFd::as_fd)
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
