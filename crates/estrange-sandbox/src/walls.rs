//! What stands between guests and the machine, and how it is put up.

use std::fs;
use std::io;

use crate::{sys, view};

/// The user that guests are when we are root. An ordinary user's guests are that user, in a namespace of its own.
const NOBODY: u32 = 65534;

/// How guests are kept in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walls {
    /// Namespaces made by root; the guest becomes another user.
    Root,
    /// Namespaces made by an ordinary user, within a user namespace.
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
    /// Puts up the walls that this user can put up: namespaces, and the guests' view of the file system.
    pub fn build() -> Result<Self, String> {
        let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
        let common = libc::CLONE_NEWNS | libc::CLONE_NEWNET | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;
        let walls = if user == 0 {
            sys::unshare(common).map_err(|e| format!("root may not make namespaces here ({e})"))?;
            Walls::Root
        } else {
            sys::unshare(common | libc::CLONE_NEWUSER)
                .map_err(|e| format!("an ordinary user may not make user namespaces here ({e})"))?;
            stay_the_same(user, group).map_err(|e| format!("the user cannot be mapped into its namespace ({e})"))?;
            Walls::User { user, group }
        };
        view::build(walls.user()).map_err(|e| format!("the guests' file system cannot be mounted ({e})"))?;
        Ok(walls)
    }

    /// The user that guests run as.
    pub fn user(self) -> u32 {
        match self {
            Walls::Root => NOBODY,
            Walls::User { user, .. } => user,
            Walls::None => rustix::process::geteuid().as_raw(),
        }
    }

    /// Whether guests have a PID namespace and a file system of their own.
    pub fn stand(self) -> bool {
        self != Walls::None
    }

    /// Gives up what this process may do beyond what its guest may: the last wall, put up by the guest itself.
    ///
    /// A user namespace for each run counts its processes apart from all others of the same user.
    pub fn drop_privileges(self) -> io::Result<()> {
        match self {
            Walls::Root => {
                sys::become_user(NOBODY)?;
                sys::prctl(libc::PR_SET_DUMPABLE, 1)?;
                // Root may have forbidden user namespaces to others; then all guests' processes are counted together.
                if sys::unshare(libc::CLONE_NEWUSER).is_ok() {
                    stay_the_same(NOBODY, NOBODY)?;
                }
                Ok(())
            }
            Walls::User { user, group } => {
                sys::prctl(libc::PR_SET_DUMPABLE, 1)?;
                sys::unshare(libc::CLONE_NEWUSER)?;
                stay_the_same(user, group)
            }
            Walls::None => Ok(()),
        }
    }
}

/// In a new user namespace: keeps the ids that the process had outside, and no others.
fn stay_the_same(user: u32, group: u32) -> io::Result<()> {
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}
