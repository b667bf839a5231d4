//! How a run ended, in types that cover every way it can.

use std::fmt;
use std::time::Duration;

use crate::scratch::Scratch;

/// Everything known about a finished run.
#[derive(Debug)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// What the guest wrote to standard output, up to the output limit.
    pub stdout: Vec<u8>,
    /// What the guest wrote to standard error, up to the output limit.
    pub stderr: Vec<u8>,
    /// What it used.
    pub usage: Usage,
    /// How many other processes were still alive when the program ended; they were ended too.
    pub left_behind: u32,
    /// Whether the scratch folder had no room left at the end.
    pub scratch_full: bool,
    /// The scratch folder as the guest left it, if [`crate::Command::keep_scratch`] asked for it.
    pub scratch: Option<Scratch>,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The program ended by itself with this exit code.
    Exited(i32),
    /// A signal ended the program.
    Signalled(i32),
    /// A sanitizer found a fault and ended the program.
    Sanitizer(Verdict),
    /// It reached its time limit.
    TimedOut,
    /// All its processes together passed the memory limit.
    OverMemory,
    /// It wrote more than the output limit.
    OverOutput,
    /// The program could not be started: what was tried, and the system's answer.
    CouldNotStart(String),
}

/// What a sanitizer reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Which sanitizer.
    pub sanitizer: Sanitizer,
    /// The fault in the sanitizer's own words, such as `heap-buffer-overflow`.
    pub fault: String,
}

/// The sanitizers whose verdicts are understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sanitizer {
    /// AddressSanitizer.
    Address,
    /// UndefinedBehaviorSanitizer.
    UndefinedBehavior,
    /// LeakSanitizer.
    Leak,
    /// MemorySanitizer.
    Memory,
    /// ThreadSanitizer.
    Thread,
}

/// What a run used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Time on the clock.
    pub wall: Duration,
    /// Processor time of all processes that ended before the program did, and of the program.
    pub cpu: Duration,
    /// The largest resident size, in bytes, that any of its processes reached.
    pub peak_memory: u64,
}

impl Outcome {
    /// The outcome of a run that never began.
    pub(crate) fn not_started(why: String) -> Self {
        Self {
            end: End::CouldNotStart(why),
            stdout: Vec::new(),
            stderr: Vec::new(),
            usage: Usage::default(),
            left_behind: 0,
            scratch_full: false,
            scratch: None,
        }
    }

    /// Whether the program ended by itself with exit code 0.
    pub fn success(&self) -> bool {
        self.end == End::Exited(0)
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Exited(code) => write!(f, "exited with code {code}"),
            End::Signalled(signal) => write!(f, "was ended by signal {signal}"),
            End::Sanitizer(verdict) => write!(f, "was ended by {:?}Sanitizer: {}", verdict.sanitizer, verdict.fault),
            End::TimedOut => f.write_str("reached its time limit"),
            End::OverMemory => f.write_str("passed its memory limit"),
            End::OverOutput => f.write_str("passed its output limit"),
            End::CouldNotStart(why) => write!(f, "could not start: {why}"),
        }
    }
}
