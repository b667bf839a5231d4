//! `/proc`, held open: what the kernel tells of processes, and takes from them.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{Mode, OFlags};

use crate::sys;

/// What the kernel tells of processes, and takes from them: `/proc`, held open, whether or not the view shows it.
#[derive(Debug)]
pub struct Processes(OwnedFd);

impl Processes {
    /// Those that this process sees now.
    pub fn of_this_machine() -> io::Result<Self> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self(rustix::fs::open("/proc", flags, Mode::empty())?))
    }

    /// Those of this run, in whose PID namespace this process is the first. They are put where the guest finds them.
    ///
    /// What a guest cannot look into, such as this process, it does not see.
    pub fn of_this_run() -> io::Result<Self> {
        let sealed = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
        sys::mount(c"proc", c"/proc", c"proc", sealed, c"subset=pid,hidepid=ptraceable")?;
        Self::of_this_machine()
    }

    /// Takes them away from where the guest would find them; this handle goes on to work.
    pub fn hide(&self) -> io::Result<()> {
        sys::unmount_lazily(c"/proc")
    }

    pub fn open(&self, path: &str) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        Ok(rustix::fs::openat(self.0.as_fd(), path, flags, Mode::empty())?.into())
    }

    pub fn read(&self, path: &str) -> io::Result<String> {
        io::read_to_string(self.open(path)?)
    }

    pub fn write(&self, path: &str, text: &str) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::CLOEXEC;
        File::from(rustix::fs::openat(self.0.as_fd(), path, flags, Mode::empty())?).write_all(text.as_bytes())
    }

    /// The names in a folder that are numbers.
    pub fn numbers(&self, folder: &str) -> Vec<libc::pid_t> {
        let Ok(folder) = self.open(folder) else { return Vec::new() };
        let Ok(entries) = rustix::fs::Dir::read_from(&folder) else { return Vec::new() };
        entries.filter_map(|entry| entry.ok()?.file_name().to_str().ok()?.parse().ok()).collect()
    }

    /// In a new user namespace: makes one user and one group of the outside known inside, and no others.
    pub fn map_user(&self, user: u32, user_outside: u32, group: u32, group_outside: u32) -> io::Result<()> {
        self.write("self/setgroups", "deny")?;
        self.write("self/uid_map", &format!("{user} {user_outside} 1"))?;
        self.write("self/gid_map", &format!("{group} {group_outside} 1"))
    }
}
