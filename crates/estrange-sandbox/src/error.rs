//! Why the sandbox could not do its work, and what to do about it.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::PathBuf;

use estrange_words::Hint;

/// Why the sandbox could not do its work. How a guest ended is never an error: see [`crate::End`].
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The kernel does not offer what protection needs.
    #[error("foreign code cannot be confined here: {missing}")]
    Unprotected {
        /// What is missing, in words.
        missing: String,
    },
    /// The executable that is named as keeper is of another version than this library.
    #[error("{} is version {version}, and what uses it is version {}: they do not work together", program.display(), crate::launcher::VERSION)]
    OtherVersion {
        /// The executable.
        program: PathBuf,
        /// Its version.
        version: String,
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

impl Hint for Error {
    fn hint(&self) -> Option<Cow<'static, str>> {
        matches!(self, Error::Unprotected { .. }).then(|| hint().into())
    }
}

/// What to change so that foreign code can be confined.
pub fn hint() -> String {
    let switches = [
        ("/proc/sys/user/max_user_namespaces", "0", "sysctl user.max_user_namespaces=10000"),
        ("/proc/sys/kernel/unprivileged_userns_clone", "0", "sysctl kernel.unprivileged_userns_clone=1"),
        (
            "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
            "1",
            "sysctl kernel.apparmor_restrict_unprivileged_userns=0",
        ),
    ];
    let off = switches.iter().find(|(path, value, _)| fs::read_to_string(path).is_ok_and(|text| text.trim() == *value));
    match off {
        Some((_, _, mend)) if !rustix::process::geteuid().is_root() => format!("as root: {mend}"),
        _ if rustix::process::geteuid().is_root() => {
            "a container must allow namespaces (CAP_SYS_ADMIN); or run as an ordinary user on the host".to_owned()
        }
        _ => "allow user namespaces to ordinary users, or run as root".to_owned(),
    }
}
