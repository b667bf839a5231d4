//! What to run in the sandbox: the program, what it may see, and the limits it runs under.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Where a guest finds its private, writable folder: its working directory, `HOME` and `TMPDIR`.
pub const SCRATCH: &str = "/scratch";

/// Where a guest finds its read-only inputs, each under the name it was given.
pub const INPUT: &str = "/input";

/// A program to run in the sandbox. Nothing of the caller's environment is passed on.
///
/// Paths are those that the guest sees: the system's `/usr`, [`SCRATCH`] and [`INPUT`].
#[derive(Debug, Clone)]
pub struct Command {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) environment: Vec<(OsString, OsString)>,
    pub(crate) directory: PathBuf,
    pub(crate) stdin: Vec<u8>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) limits: Limits,
    pub(crate) sanitized: bool,
    pub(crate) fixed_addresses: bool,
    pub(crate) keep_scratch: bool,
}

/// A file or folder of the host that the guest may read, as `/input/NAME`.
#[derive(Debug, Clone)]
pub struct Input {
    /// The path on the host; it must exist when the run starts.
    pub host: PathBuf,
    /// A plain name: no slash, not `.` or `..`.
    pub name: String,
}

/// What a run may use. The defaults suit a short test program; [`Limits::build`] suits a configure step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Time on the clock, from start to end.
    pub wall: Duration,
    /// Memory of all processes together, in bytes, as resident pages (pages shared after a fork count in each).
    pub memory: u64,
    /// Processes and threads alive at once.
    pub processes: u32,
    /// Bytes of standard output and standard error together.
    pub output: u64,
    /// Bytes in the scratch folder.
    pub disk: u64,
    /// Files and folders in the scratch folder.
    pub files: u64,
}

const MIB: u64 = 1024 * 1024;

impl Default for Limits {
    fn default() -> Self {
        Self {
            wall: Duration::from_secs(10),
            memory: 512 * MIB,
            processes: 32,
            output: 4 * MIB,
            disk: 64 * MIB,
            files: 4096,
        }
    }
}

impl Limits {
    /// Limits for a foreign project's configure or build step.
    pub fn build() -> Self {
        Self {
            wall: Duration::from_secs(300),
            memory: 2048 * MIB,
            processes: 256,
            output: 64 * MIB,
            disk: 2048 * MIB,
            files: 200_000,
        }
    }
}

impl Command {
    /// A run of `program`: an absolute path as the guest sees it, or a name to find in `/usr/bin` and `/bin`.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            directory: PathBuf::from(SCRATCH),
            stdin: Vec::new(),
            inputs: Vec::new(),
            limits: Limits::default(),
            sanitized: false,
            fixed_addresses: false,
            keep_scratch: false,
        }
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

    /// Sets a variable of the guest's environment, over the presets: `PATH`, `LC_ALL`, `TMPDIR`, `HOME` (the scratch
    /// folder) and `INPUT` (the folder of inputs). A script that goes by these two works without walls, too.
    pub fn environment(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Sets the working directory; [`SCRATCH`] unless told.
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = directory.into();
        self
    }

    /// Sets what the guest reads from standard input; nothing unless told.
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Shows the guest a file or folder of the host, read-only, as `/input/NAME`.
    pub fn input(mut self, host: impl AsRef<Path>, name: impl Into<String>) -> Self {
        self.inputs.push(Input { host: host.as_ref().to_owned(), name: name.into() });
        self
    }

    /// Sets the limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Says that the program was built with sanitizers: their options are set so that a finding ends the run with
    /// [`crate::End::Sanitizer`]. The address space that they reserve is not memory in use, and does not count.
    pub fn sanitized(mut self) -> Self {
        self.sanitized = true;
        self
    }

    /// Gives the guest the same addresses in every run, where the kernel lets us; they are drawn by chance unless told.
    pub fn fixed_addresses(mut self, fixed: bool) -> Self {
        self.fixed_addresses = fixed;
        self
    }

    /// Keeps the scratch folder readable after the run, through [`crate::Outcome::scratch`].
    pub fn keep_scratch(mut self) -> Self {
        self.keep_scratch = true;
        self
    }
}
