//! What stands between guests and the machine, and how it is put up.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{Mode, OFlags};

use crate::command::Limits;
use crate::processes::Processes;
use crate::sys::{self, Fork};
use crate::view;
use crate::wire::{Furniture, Role};

/// Who guests of root think they are.
const NOBODY: u32 = 65534;
/// Who they are to the machine: each run another user, of ids that nobody has, so that no run meets another in what
/// the kernel counts by user.
const FIRST_GUEST: u32 = 0x7000_0000;
const GUESTS: u32 = 0x1_0000;

/// How guests are kept in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walls {
    /// Namespaces made by root; the guest becomes another user.
    Root {
        /// The user that the guest becomes.
        guest: u32,
    },
    /// Namespaces made by an ordinary user, or by a root that has no other users, within a user namespace.
    User {
        /// The user, and the id of its group.
        user: u32,
        /// See `user`.
        group: u32,
    },
    /// None: limits and the system-call filter only.
    None,
}

impl Walls {
    /// Makes the namespaces that this user can make. The view of the file system is still the host's.
    pub fn raise() -> Result<Self, String> {
        let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
        let common = libc::CLONE_NEWNS
            | libc::CLONE_NEWNET
            | libc::CLONE_NEWIPC
            | libc::CLONE_NEWUTS
            // Which group of processes this machine counts us to is nobody's business.
            | libc::CLONE_NEWCGROUP;
        let walls = if user == 0 && has_users_to_spare() {
            sys::unshare(common).map_err(|e| format!("root may not make namespaces here ({e})"))?;
            Walls::Root { guest: FIRST_GUEST }
        } else {
            sys::unshare(common | libc::CLONE_NEWUSER)
                .map_err(|e| format!("this user may not make user namespaces here ({e})"))?;
            Processes::of_this_machine()
                .and_then(|processes| processes.map_user(user, user, group, group))
                .map_err(|e| format!("the user cannot be mapped into its namespace ({e})"))?;
            Walls::User { user, group }
        };
        // A guest need not know whose machine it is on.
        rustix::system::sethostname(b"sandbox").map_err(|e| format!("the host cannot be hidden ({e})"))?;
        Ok(walls)
    }

    /// Makes the view of the file system the guests'.
    pub fn build_view(self) -> Result<(), String> {
        view::build(self.apparent_user()).map_err(|e| format!("the guests' file system cannot be mounted ({e})"))
    }

    /// The walls of the next run.
    pub fn next(self) -> Self {
        match self {
            Walls::Root { guest } => Walls::Root { guest: FIRST_GUEST + (guest - FIRST_GUEST + 1) % GUESTS },
            other => other,
        }
    }

    /// The namespaces that each run has of its own.
    pub fn namespaces(self) -> libc::c_int {
        if self.stand() { libc::CLONE_NEWPID | libc::CLONE_NEWNS } else { 0 }
    }

    /// Does once what every run will do, to know that it can be done.
    pub fn rehearse(self) -> Result<(), String> {
        self.try_furnishing().map_err(|e| format!("a guest's own folders cannot be mounted ({e})"))
    }

    fn try_furnishing(self) -> io::Result<()> {
        match sys::fork(self.namespaces())? {
            Fork::Child => {
                let furnished = Processes::of_this_run()
                    .and_then(|_| view::furnish(&Furniture::default(), &Limits::default(), self.user(Role::Guest)));
                sys::exit_now(furnished.err().map_or(0, |error| error.raw_os_error().unwrap_or(libc::EIO)))
            }
            Fork::Parent(_) => match sys::reap(true)?.map(|child| libc::WEXITSTATUS(child.status)) {
                Some(0) => Ok(()),
                code => Err(io::Error::from_raw_os_error(code.unwrap_or(libc::EIO))),
            },
        }
    }

    /// The user that the guest believes to be.
    fn apparent_user(self) -> u32 {
        match self {
            // Whoever is root inside gets capabilities with every program; nobody does not.
            Walls::Root { .. } | Walls::User { user: 0, .. } => NOBODY,
            Walls::User { user, .. } => user,
            Walls::None => rustix::process::geteuid().as_raw(),
        }
    }

    /// The user that a run is to the machine.
    pub fn user(self, role: Role) -> u32 {
        match (self, role) {
            (Walls::Root { guest }, Role::Guest) => guest,
            (Walls::Root { .. }, Role::Tool) => 0,
            (Walls::User { user, .. }, _) => user,
            (Walls::None, _) => rustix::process::geteuid().as_raw(),
        }
    }

    /// Whether guests have a PID namespace and a file system of their own.
    pub fn stand(self) -> bool {
        self != Walls::None
    }

    /// Gives up what this process may do beyond what its guest may: the last wall, put up by the guest itself.
    ///
    /// A user namespace for each run counts its processes apart from all others of the same user.
    pub fn drop_privileges(self, role: Role, processes: &Processes) -> io::Result<()> {
        let (user, group) = match (self, role) {
            (Walls::None, _) => return Ok(()),
            (Walls::Root { guest }, Role::Guest) => {
                sys::become_user(guest)?;
                (guest, guest)
            }
            (Walls::Root { .. }, Role::Tool) => (0, 0),
            (Walls::User { user, group }, _) => (user, group),
        };
        sys::prctl(libc::PR_SET_DUMPABLE, 1)?;
        let root = rustix::fs::open("/", OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        let apparent_group = if self.apparent_user() == NOBODY { NOBODY } else { group };
        // A tool, which sees no `/proc`, cannot ask for mounts.
        let hides_mounts = role == Role::Guest;
        let mounts = if hides_mounts { libc::CLONE_NEWNS } else { 0 };
        match (sys::unshare(libc::CLONE_NEWUSER | mounts), self) {
            (Ok(()), _) => {
                processes.map_user(self.apparent_user(), user, apparent_group, group)?;
                if hides_mounts { stay_in(&root) } else { Ok(()) }
            }
            // Root may have forbidden user namespaces to others; then all guests' processes are counted together.
            (Err(_), Walls::Root { .. }) if role == Role::Guest => Ok(()),
            (Err(_), Walls::Root { .. }) => sys::drop_capabilities(),
            (Err(error), _) => Err(error),
        }
    }
}

/// Keeps this process in the root that it had before it got a mount namespace of its own.
///
/// Of a process whose root is not in its mount namespace, the kernel tells no mounts: neither of what kind they are, nor
/// which folders of the host.
fn stay_in(root: &OwnedFd) -> io::Result<()> {
    rustix::process::fchdir(root)?;
    Ok(rustix::process::chroot(".")?)
}

/// Whether the ids of guests exist here: in a user namespace, root may be the only user there is.
fn has_users_to_spare() -> bool {
    ["/proc/self/uid_map", "/proc/self/gid_map"].iter().all(|path| {
        fs::read_to_string(path).is_ok_and(|text| {
            text.lines().any(|line| {
                let numbers: Vec<u64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
                matches!(numbers[..], [first, _, count] if (first..first + count).contains(&u64::from(FIRST_GUEST + GUESTS)))
            })
        })
    })
}
