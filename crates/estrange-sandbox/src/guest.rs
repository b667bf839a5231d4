//! The last steps of a process on its way to being a guest: limits, privileges, filter, exec.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;

use crate::confinement::Confinement;
use crate::processes::Processes;
use crate::sys::{self, Close};
use crate::wire::Request;

/// Most files that one process of a run may have open.
const OPEN_FILES: u64 = 256;
/// The stack of the first thread: the usual size, whatever ours is.
const STACK: u64 = 8 << 20;

/// Becomes the guest. Returns only if that failed, with what failed.
pub fn become_guest(
    request: &Request,
    confinement: &Confinement,
    processes: &Processes,
    standard: [&OwnedFd; 3],
) -> (&'static str, io::Error) {
    match prepare(request, confinement, processes, standard) {
        Ok(()) => ("run the program", execute(request)),
        Err(failure) => failure,
    }
}

fn prepare(
    request: &Request,
    confinement: &Confinement,
    processes: &Processes,
    standard: [&OwnedFd; 3],
) -> Result<(), (&'static str, io::Error)> {
    let Confinement { walls, filter } = confinement;
    let role = request.furniture.role;
    let step = |name: &'static str| move |error: io::Error| (name, error);
    sys::unblock_signals();
    sys::new_session().map_err(step("start a session"))?;
    for (number, descriptor) in (0..).zip(standard) {
        sys::place_descriptor(descriptor.as_raw_fd(), number).map_err(step("connect its input and output"))?;
    }
    sys::close_from(3, Close::OnExec).map_err(step("close our files"))?;
    for (resource, value) in [
        // One byte, not none: only that keeps a program that takes cores through a pipe from being started.
        (libc::RLIMIT_CORE, 1),
        (libc::RLIMIT_FSIZE, request.limits.disk),
        (libc::RLIMIT_NOFILE, OPEN_FILES),
        (libc::RLIMIT_MEMLOCK, 64 * 1024),
        (libc::RLIMIT_MSGQUEUE, 0),
        (libc::RLIMIT_SIGPENDING, 1024),
        (libc::RLIMIT_RTPRIO, 0),
        (libc::RLIMIT_NICE, 0),
    ] {
        sys::lower_limit(resource, value).map_err(step("set its limits"))?;
    }
    sys::set_soft_limit(libc::RLIMIT_STACK, STACK).map_err(step("set its limits"))?;
    if let Some(bytes) = request.address_space {
        sys::lower_limit(libc::RLIMIT_AS, bytes).map_err(step("set its limits"))?;
    }
    // If the machine runs out of memory all the same, guests go first. What root writes here cannot be lowered again.
    let offered = processes.write("self/oom_score_adj", "1000");
    walls.drop_privileges(role, processes).map_err(step("give up privileges"))?;
    offered
        .or_else(|_| processes.write("self/oom_score_adj", "1000"))
        .map_err(step("offer itself to the memory killer"))?;
    if walls.stand() {
        // Only in a user namespace of its own are the processes that this counts the guest's alone.
        sys::lower_limit(libc::RLIMIT_NPROC, request.limits.processes.into()).map_err(step("set its limits"))?;
    }
    if request.fixed_addresses {
        // Some containers do not allow it. The program then runs all the same.
        let _ = sys::fix_addresses();
    }
    let directory = OsStr::from_bytes(request.directory.to_bytes());
    std::env::set_current_dir(directory).map_err(step("enter its working directory"))?;
    sys::prctl(libc::PR_SET_NO_NEW_PRIVS, 1).map_err(step("give up new privileges"))?;
    sys::install_filter(filter).map_err(step("install the system-call filter"))
}

fn execute(request: &Request) -> io::Error {
    let mut failure = io::Error::from(io::ErrorKind::NotFound);
    for program in &request.programs {
        failure = sys::execute(program, &request.arguments, &request.environment);
        if failure.kind() != io::ErrorKind::NotFound {
            break;
        }
    }
    failure
}
