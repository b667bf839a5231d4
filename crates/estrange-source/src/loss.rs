//! Why a source could not be had: one variant a reason, each with a stable code and, where there is one, a hint.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use estrange_sandbox::{ToolEnd, ToolError, ToolOutput};
use estrange_words::{Hint, Reason};

use crate::rule::Rule;
use crate::spec::BadSpec;

/// Why a source could not be had. The rest of the work goes on without it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Loss {
    /// The specification itself is wrong.
    #[error(transparent)]
    Spec(#[from] BadSpec),
    /// Nothing of this name exists where it was looked for.
    #[error("{what} does not exist")]
    NotFound {
        /// What was looked for.
        what: String,
    },
    /// The package exists, this version of it does not.
    #[error("{name} has no version {version} here")]
    VersionNotFound {
        /// The package.
        name: String,
        /// The version that was asked for.
        version: String,
        /// The versions there are, newest first.
        known: Vec<String>,
    },
    /// The repository exists, this revision of it does not.
    #[error("{repository} has no revision {revision}")]
    RevisionNotFound {
        /// The repository's address.
        repository: String,
        /// The revision that was asked for.
        revision: String,
    },
    /// The version was withdrawn by its authors.
    #[error("{name} {version} was withdrawn by its authors (yanked)")]
    Withdrawn {
        /// The package.
        name: String,
        /// The version that was asked for.
        version: String,
    },
    /// The network could not be reached, or did not answer in time.
    #[error("{what} could not be reached: {detail}")]
    Network {
        /// What was wanted from it.
        what: String,
        /// What the network's software said.
        detail: String,
    },
    /// The server answered, with a refusal.
    #[error("{what}: the server answered with status {status}")]
    Refused {
        /// What was asked of it.
        what: String,
        /// The HTTP status.
        status: u16,
    },
    /// The download ended before its announced end, as often as it was tried.
    #[error("{what} was cut short: {received} of {expected} bytes came")]
    Truncated {
        /// What was downloaded.
        what: String,
        /// How many bytes were announced.
        expected: u64,
        /// How many bytes came.
        received: u64,
    },
    /// The content is not what it was pinned to, or not what the archive's index says.
    #[error("{what} has the digest {found}, not {expected}")]
    HashMismatch {
        /// The file or tree.
        what: String,
        /// The digest it should have.
        expected: String,
        /// The digest it has.
        found: String,
    },
    /// The archive does something no honest archive does.
    #[error("{archive} is refused: {rule}{}", at(.entry))]
    Hostile {
        /// The archive.
        archive: String,
        /// The rule it broke.
        rule: Rule,
        /// The entry that broke it, made printable; empty where no single entry did.
        entry: String,
    },
    /// Unpacked, it would be larger than allowed.
    #[error("{what} is too large: {bound}{}", at(.entry))]
    TooLarge {
        /// The archive or folder.
        what: String,
        /// The bound that was passed.
        bound: String,
        /// The entry at which it was passed, made printable; may be empty.
        entry: String,
    },
    /// The file is damaged or incomplete.
    #[error("{what} is damaged: {detail}")]
    Damaged {
        /// The file.
        what: String,
        /// What is wrong with it.
        detail: String,
    },
    /// The repository lacks objects of its own.
    #[error("{repository} lacks objects of its history: {detail}")]
    Incomplete {
        /// The repository's address.
        repository: String,
        /// What git said.
        detail: String,
    },
    /// The format is not one that can be unpacked.
    #[error("{what}: {format} is not supported")]
    Unsupported {
        /// The file or package.
        what: String,
        /// The format, in words.
        format: String,
    },
    /// Text that has to be read is not UTF-8.
    #[error("{what} is not UTF-8")]
    NotUtf8 {
        /// The text.
        what: String,
    },
    /// A patch of the package does not apply.
    #[error("patch {patch} does not apply: {detail}")]
    Patch {
        /// The patch.
        patch: String,
        /// What was said about it.
        detail: String,
    },
    /// The package has no patch of this name.
    #[error("{package} has no patch {patch}")]
    NoSuchPatch {
        /// The package.
        package: String,
        /// The patch that was asked for.
        patch: String,
    },
    /// The list of packages has it, the mirror does not.
    #[error("{package} is in the list of packages, but its files are not on the mirror")]
    NotOnMirror {
        /// The package and its version.
        package: String,
    },
    /// No Debian archive is configured on this machine.
    #[error("no Debian archive is configured on this machine")]
    NoDebianArchive,
    /// A program that is needed is not installed.
    #[error("{program} is not installed")]
    ToolMissing {
        /// The program.
        program: String,
    },
    /// A program that is needed failed, or did not end in time.
    #[error("{program} failed: {detail}")]
    ToolFailed {
        /// The program.
        program: String,
        /// How it ended, and its last words.
        detail: String,
    },
    /// Foreign data could not be handled safely on this machine.
    #[error(transparent)]
    Sandbox(#[from] estrange_sandbox::Error),
    /// The cache cannot be written, and what is needed is not in it.
    #[error("{path} cannot be written, and {needed} is not in it")]
    CacheReadOnly {
        /// The cache.
        path: PathBuf,
        /// What was needed.
        needed: String,
    },
    /// The cache was made by another version of Estrange.
    #[error("{path} has the cache format {found:?}; this version knows {known:?}")]
    CacheFormat {
        /// The cache.
        path: PathBuf,
        /// The format it says it has.
        found: String,
        /// The format that is understood.
        known: &'static str,
    },
    /// There is no room left on the disk, or in its owner's quota.
    #[error("no room left on the disk for {path}")]
    DiskFull {
        /// What was being written.
        path: PathBuf,
    },
    /// The system refused something else.
    #[error("cannot {action} {path}: {source}")]
    Io {
        /// What was tried, as a verb.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
}

fn at(entry: &str) -> String {
    if entry.is_empty() { String::new() } else { format!(" (at {entry:?})") }
}

impl Loss {
    /// The typed reason.
    pub fn reason(&self) -> Reason {
        match self {
            Loss::Spec(_) => Reason::BadSpec,
            Loss::NotFound { .. } => Reason::NotFound,
            Loss::VersionNotFound { .. } => Reason::VersionNotFound,
            Loss::RevisionNotFound { .. } => Reason::RevisionNotFound,
            Loss::Withdrawn { .. } => Reason::Withdrawn,
            Loss::Network { .. } => Reason::Network,
            Loss::Refused { .. } => Reason::ServerRefused,
            Loss::Truncated { .. } => Reason::TruncatedDownload,
            Loss::HashMismatch { .. } => Reason::HashMismatch,
            Loss::Hostile { .. } => Reason::HostileArchive,
            Loss::TooLarge { .. } => Reason::TooLarge,
            Loss::Damaged { .. } => Reason::DamagedArchive,
            Loss::Incomplete { .. } => Reason::IncompleteRepository,
            Loss::Unsupported { .. } => Reason::UnsupportedFormat,
            Loss::NotUtf8 { .. } => Reason::NotUtf8,
            Loss::Patch { .. } => Reason::PatchDoesNotApply,
            Loss::NoSuchPatch { .. } => Reason::NoSuchPatch,
            Loss::NotOnMirror { .. } => Reason::NotOnMirror,
            Loss::NoDebianArchive => Reason::NoDebianArchive,
            Loss::ToolMissing { .. } => Reason::ToolMissing,
            Loss::ToolFailed { .. } => Reason::ToolFailed,
            Loss::Sandbox(_) => Reason::Sandbox,
            Loss::CacheReadOnly { .. } => Reason::CacheReadOnly,
            Loss::CacheFormat { .. } => Reason::CacheFormat,
            Loss::DiskFull { .. } => Reason::DiskFull,
            Loss::Io { .. } => Reason::Io,
        }
    }

    /// Whether trying again later, unchanged, may help.
    pub fn is_transient(&self) -> bool {
        matches!(self, Loss::Network { .. } | Loss::Truncated { .. } | Loss::Refused { status: 500.., .. })
    }

    /// The loss behind a refusal by the system.
    pub(crate) fn io(action: &'static str, path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Loss {
        move |source| {
            let path = path.as_ref().to_owned();
            match source.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Loss::DiskFull { path },
                _ => Loss::Io { action, path, source },
            }
        }
    }

    /// A tool's last words on one line.
    pub(crate) fn words(output: &ToolOutput) -> String {
        let words = output.last_words(8);
        let plain = |line: &str| line.trim().trim_start_matches("E: ").trim_start_matches("error: ").to_owned();
        let lines: Vec<String> = words.lines().map(plain).filter(|line| line != "Caused by:").take(3).collect();
        lines.join("; ").chars().filter(|c| !c.is_control()).take(400).collect()
    }

    /// The loss behind a tool that found no room for what it had to write.
    pub(crate) fn full_disk(program: &str, output: &ToolOutput) -> Option<Loss> {
        let words = output.last_words(32);
        let signs = ["No space left on device", "enough free space", "Disk quota exceeded"];
        let path = PathBuf::from(format!("what {program} writes"));
        signs.iter().any(|sign| words.contains(sign)).then_some(Loss::DiskFull { path })
    }

    /// The loss behind a tool that ran and failed.
    pub(crate) fn tool(program: &str, output: &ToolOutput) -> Loss {
        if let Some(loss) = Loss::full_disk(program, output) {
            return loss;
        }
        // What `env` answers when it does not find a program.
        if output.end == ToolEnd::Exited(127) {
            return Loss::ToolMissing { program: program.to_owned() };
        }
        let end = format!("it {}", output.end);
        let words = Loss::words(output);
        let detail = if words.is_empty() { end } else { format!("{end}: {words}") };
        Loss::ToolFailed { program: program.to_owned(), detail }
    }
}

impl Hint for Loss {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Loss::Spec(bad) => return bad.hint(),
            Loss::VersionNotFound { known, .. } if !known.is_empty() => {
                let shown: Vec<&str> = known.iter().take(5).map(String::as_str).collect();
                return Some(format!("there is {}", shown.join(", ")).into());
            }
            Loss::RevisionNotFound { .. } => "name a branch, a tag or a full commit hash of that repository",
            Loss::Withdrawn { .. } => "ask for another version, or leave the version out for the newest",
            Loss::Network { .. } => "check the connection and any proxy; a second try continues where this one stopped",
            Loss::Truncated { .. } => "a second try continues where this one stopped",
            Loss::HashMismatch { .. } => {
                "the source has changed since it was pinned, or was tampered with; leave the pin out to accept it"
            }
            Loss::Incomplete { .. } => "it is a partial copy, or damaged: fetch it whole, with `git fetch --refetch`",
            Loss::Unsupported { .. } => "give a folder, a tar archive (plain, gz, xz, bz2 or zst) or a zip archive",
            Loss::NotOnMirror { .. } => "ask for another version, or set this machine's apt to another mirror",
            Loss::NoDebianArchive => "deb: sources need a Debian machine with its archive in /etc/apt",
            Loss::ToolMissing { program } => {
                return Some(format!("install {program}; `estrange doctor` says how").into());
            }
            Loss::CacheReadOnly { .. } => "name a folder that can be written in ESTRANGE_CACHE",
            Loss::CacheFormat { .. } => "name another folder in ESTRANGE_CACHE, or remove this one",
            Loss::DiskFull { .. } => "make room, or name a cache folder on another disk in ESTRANGE_CACHE",
            _ => return None,
        };
        Some(hint.into())
    }
}

impl From<ToolError> for Loss {
    fn from(error: ToolError) -> Self {
        match error {
            ToolError::Missing { program } => Loss::ToolMissing { program },
            ToolError::Start { program, source } => Loss::ToolFailed { program, detail: source.to_string() },
            ToolError::Confine { program, source } => Loss::ToolFailed { program, detail: source.to_string() },
        }
    }
}
