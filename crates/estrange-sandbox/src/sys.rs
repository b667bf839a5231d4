//! The system calls that the keeper, the warden and the guest need and that have no safe wrapper elsewhere.
//!
//! All unsafe code of the crate is here. Each function is one system call with its error turned into [`io::Error`].
#![allow(unsafe_code)]

use std::ffi::{CStr, CString};
use std::io;
use std::mem::{self, MaybeUninit};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;
use std::time::Duration;

use libc::{c_char, c_int, c_long, c_ulong, pid_t};

fn check(result: c_long) -> io::Result<c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

fn check_int(result: c_int) -> io::Result<c_int> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// Which side of a fork this is.
pub enum Fork {
    Parent(pid_t),
    Child,
}

/// Forks into the namespaces named by `flags` (0: a plain fork).
///
/// Only for processes with a single thread, as the keeper and its children are: there, a fork may do anything
/// afterwards that the process could do before.
pub fn fork(flags: c_int) -> io::Result<Fork> {
    let (flags, none) = (c_long::from(flags | libc::SIGCHLD), 0 as c_long);
    // SAFETY: with no stack and no CLONE_VM this is fork(2): the child runs on a copy of everything.
    match check(unsafe { libc::syscall(libc::SYS_clone, flags, none, none, none, none) })? {
        0 => Ok(Fork::Child),
        pid => Ok(Fork::Parent(pid as pid_t)),
    }
}

/// Leaves at once, without running anything registered for exit.
pub fn exit_now(code: c_int) -> ! {
    // SAFETY: never returns and touches no memory.
    unsafe { libc::_exit(code) }
}

/// Replaces this process; returns only on failure.
pub fn execute(program: &CStr, arguments: &[CString], environment: &[CString]) -> io::Error {
    let pointers = |strings: &[CString]| -> Vec<*const c_char> {
        strings.iter().map(|s| s.as_ptr()).chain([ptr::null()]).collect()
    };
    let (arguments, environment) = (pointers(arguments), pointers(environment));
    // SAFETY: both arrays end in null and their strings live until the call returns.
    unsafe { libc::execve(program.as_ptr(), arguments.as_ptr(), environment.as_ptr()) };
    io::Error::last_os_error()
}

pub fn unshare(flags: c_int) -> io::Result<()> {
    // SAFETY: takes flags only.
    check_int(unsafe { libc::unshare(flags) }).map(drop)
}

pub fn mount(source: &CStr, target: &CStr, kind: &CStr, flags: c_ulong, data: &CStr) -> io::Result<()> {
    // SAFETY: all strings are terminated and outlive the call.
    check_int(unsafe { libc::mount(source.as_ptr(), target.as_ptr(), kind.as_ptr(), flags, data.as_ptr().cast()) })
        .map(drop)
}

pub fn unmount_lazily(target: &CStr) -> io::Result<()> {
    // SAFETY: the string is terminated and outlives the call.
    check_int(unsafe { libc::umount2(target.as_ptr(), libc::MNT_DETACH) }).map(drop)
}

/// Adds restrictions (`MOUNT_ATTR_*`) to a mount; with `recursive`, to all below it too.
pub fn restrict_mount(target: &CStr, attributes: u64, recursive: bool) -> io::Result<()> {
    /// The kernel's `struct mount_attr`.
    #[repr(C)]
    struct MountAttributes {
        set: u64,
        clear: u64,
        propagation: u64,
        user_namespace: u64,
    }
    let wanted = MountAttributes { set: attributes, clear: 0, propagation: 0, user_namespace: 0 };
    let flags = if recursive { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: the structure has the kernel's layout and its true size is passed.
    check(unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            target.as_ptr(),
            flags,
            &raw const wanted,
            mem::size_of::<MountAttributes>(),
        )
    })
    .map(drop)
}

pub fn pivot_root(new: &CStr, old: &CStr) -> io::Result<()> {
    // SAFETY: both strings are terminated and outlive the call.
    check(unsafe { libc::syscall(libc::SYS_pivot_root, new.as_ptr(), old.as_ptr()) }).map(drop)
}

/// Has the programs that this process becomes start with the same addresses every time.
pub fn fix_addresses() -> io::Result<()> {
    // SAFETY: a flag of this process; nothing is passed by address.
    check_int(unsafe { libc::personality(libc::ADDR_NO_RANDOMIZE as c_ulong) }).map(drop)
}

pub fn prctl(option: c_int, argument: c_ulong) -> io::Result<()> {
    // SAFETY: only options whose argument is a number are used.
    check_int(unsafe { libc::prctl(option, argument, 0, 0, 0) }).map(drop)
}

/// Makes the kernel end the command's process when the thread that starts it ends.
///
/// For commands that the thread then waits for: so they go when we are killed, and not before.
pub fn end_with_this_thread(command: &mut std::process::Command) {
    use std::os::unix::process::CommandExt;
    // SAFETY: between fork and exec the closure makes one system call, and touches no memory.
    unsafe { command.pre_exec(|| prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as c_ulong)) };
}

/// Bounds the address space of the command's process and of those that it starts.
pub fn limit_memory(command: &mut std::process::Command, bytes: u64) {
    use std::os::unix::process::CommandExt;
    // SAFETY: between fork and exec the closure makes two system calls, and touches no memory but its own stack.
    unsafe { command.pre_exec(move || lower_limit(libc::RLIMIT_AS, bytes)) };
}

/// Lowers a limit to `value`, or leaves it if it is lower already.
pub fn lower_limit(resource: libc::__rlimit_resource_t, value: u64) -> io::Result<()> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure is whole, valid for writing, and lives until the calls return.
    unsafe {
        check_int(libc::getrlimit(resource, &raw mut limit))?;
        let value = value.min(limit.rlim_max);
        limit = libc::rlimit { rlim_cur: value, rlim_max: value };
        check_int(libc::setrlimit(resource, &raw const limit)).map(drop)
    }
}

/// Sets the soft limit to `value`, as far as the hard limit allows.
pub fn set_soft_limit(resource: libc::__rlimit_resource_t, value: u64) -> io::Result<()> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: as in `lower_limit`.
    unsafe {
        check_int(libc::getrlimit(resource, &raw mut limit))?;
        limit.rlim_cur = value.min(limit.rlim_max);
        check_int(libc::setrlimit(resource, &raw const limit)).map(drop)
    }
}

/// Sets the bits that new files do not get.
pub fn set_umask(mask: libc::mode_t) {
    // SAFETY: takes a number and cannot fail.
    unsafe { libc::umask(mask) };
}

/// Becomes this user and group, with no other groups, for good.
pub fn become_user(id: u32) -> io::Result<()> {
    // SAFETY: numbers, and a null list of length 0.
    unsafe {
        check_int(libc::setgroups(0, ptr::null()))?;
        check_int(libc::setresgid(id, id, id))?;
        check_int(libc::setresuid(id, id, id))?;
    }
    Ok(())
}

/// Gives up every privilege of root for whatever this process becomes.
pub fn drop_capabilities() -> io::Result<()> {
    for capability in 0..64 {
        match prctl(libc::PR_CAPBSET_DROP, capability) {
            // There are no more.
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) => break,
            dropped => dropped?,
        }
    }
    Ok(())
}

pub fn new_session() -> io::Result<()> {
    // SAFETY: takes nothing.
    check_int(unsafe { libc::setsid() }).map(drop)
}

/// Puts `from` at the number `to`, open across exec. `from` may be `to`.
pub fn place_descriptor(from: RawFd, to: RawFd) -> io::Result<()> {
    // SAFETY: numbers only; a wrong one is answered with an error.
    unsafe { if from == to { check_int(libc::fcntl(to, libc::F_SETFD, 0)) } else { check_int(libc::dup2(from, to)) } }
        .map(drop)
}

/// Closes every descriptor from `first` on, now or at the next exec.
pub fn close_from(first: u32, when: Close) -> io::Result<()> {
    let flags = match when {
        Close::Now => 0,
        Close::OnExec => libc::CLOSE_RANGE_CLOEXEC,
    };
    // SAFETY: numbers only; `Close::Now` is for a process that has no owner of such a descriptor yet.
    check(unsafe { libc::syscall(libc::SYS_close_range, first, u32::MAX, flags) }).map(drop)
}

/// When descriptors are to be closed.
pub enum Close {
    Now,
    OnExec,
}

/// Sends a signal; with -1, to every process that may be sent one.
pub fn kill(pid: pid_t, signal: c_int) -> io::Result<()> {
    // SAFETY: numbers only.
    check_int(unsafe { libc::kill(pid, signal) }).map(drop)
}

/// A child that ended.
pub struct Ended {
    pub pid: pid_t,
    pub status: c_int,
    pub cpu: Duration,
    pub peak_memory: u64,
}

/// Takes the next ended child, if there is one; an error (`ECHILD`) if there are no children at all.
pub fn reap(block: bool) -> io::Result<Option<Ended>> {
    wait(-1, if block { 0 } else { libc::WNOHANG })
}

/// Takes this child if it has ended; an error (`ECHILD`) if it is no child, or was taken already.
pub fn reap_child(pid: pid_t) -> io::Result<Option<Ended>> {
    wait(pid, libc::WNOHANG)
}

fn wait(pid: pid_t, options: c_int) -> io::Result<Option<Ended>> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both out-parameters are valid for writing; a zeroed rusage is a valid one.
    let (pid, usage) = unsafe {
        let pid = check_int(libc::wait4(pid, &raw mut status, options, usage.as_mut_ptr()))?;
        (pid, usage.assume_init())
    };
    if pid == 0 {
        return Ok(None);
    }
    let time = |t: libc::timeval| Duration::new(t.tv_sec as u64, t.tv_usec as u32 * 1000);
    Ok(Some(Ended {
        pid,
        status,
        cpu: time(usage.ru_utime) + time(usage.ru_stime),
        peak_memory: usage.ru_maxrss as u64 * 1024,
    }))
}

/// The processor time that a living process has used so far, all its threads together.
pub fn processor_time(pid: pid_t) -> io::Result<Duration> {
    let mut clock = 0;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: both out-parameters are valid for writing.
    unsafe {
        match libc::clock_getcpuclockid(pid, &raw mut clock) {
            0 => check_int(libc::clock_gettime(clock, &raw mut time))?,
            error => return Err(io::Error::from_raw_os_error(error)),
        }
    };
    Ok(Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

/// Blocks the signal that tells of a child's end, and gives a descriptor that becomes readable instead.
pub fn child_signals() -> io::Result<OwnedFd> {
    let mut set = MaybeUninit::<libc::sigset_t>::zeroed();
    // SAFETY: the set is initialised by sigemptyset before it is used.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), libc::SIGCHLD);
        check_int(libc::sigprocmask(libc::SIG_BLOCK, set.as_ptr(), ptr::null_mut()))?;
        let fd = check_int(libc::signalfd(-1, set.as_ptr(), libc::SFD_CLOEXEC | libc::SFD_NONBLOCK))?;
        Ok(OwnedFd::from_raw_fd(fd))
    }
}

/// Gives every signal its default meaning.
pub fn default_signals() {
    // SAFETY: dispositions without handlers; one that cannot be set is answered with an error that does not matter.
    unsafe {
        for signal in 1..=libc::SIGRTMAX() {
            libc::signal(signal, libc::SIG_DFL);
        }
    }
}

/// Lets every signal through.
pub fn unblock_signals() {
    let mut set = MaybeUninit::<libc::sigset_t>::zeroed();
    // SAFETY: the set is initialised by sigemptyset.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, set.as_ptr(), ptr::null_mut());
    }
}

/// Makes a signal do nothing.
pub fn ignore_signal(signal: c_int) {
    // SAFETY: a disposition without a handler.
    unsafe { libc::signal(signal, libc::SIG_IGN) };
}

/// Whether the kernel reaps this process's children by itself.
pub fn ignore_children(ignore: bool) {
    // SAFETY: a disposition without a handler.
    unsafe { libc::signal(libc::SIGCHLD, if ignore { libc::SIG_IGN } else { libc::SIG_DFL }) };
}

/// Installs a system-call filter for good. The process must have given up new privileges before.
pub fn install_filter(filter: &[libc::sock_filter]) -> io::Result<()> {
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut() };
    // SAFETY: the kernel reads `len` instructions from the slice, and writes none.
    check(unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program) }).map(drop)
}

/// Makes a file in memory that holds `bytes` and can never change.
pub fn sealed_memory(name: &CStr, bytes: &[u8]) -> io::Result<OwnedFd> {
    use std::io::{Seek, Write};
    // SAFETY: the string is terminated; the new descriptor has no other owner.
    let fd = unsafe {
        let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
        OwnedFd::from_raw_fd(check_int(libc::memfd_create(name.as_ptr(), flags))?)
    };
    let mut file = std::fs::File::from(fd);
    file.write_all(bytes)?;
    file.rewind()?;
    let seals = libc::F_SEAL_WRITE | libc::F_SEAL_GROW | libc::F_SEAL_SHRINK | libc::F_SEAL_SEAL;
    // SAFETY: numbers only.
    check_int(unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) })?;
    Ok(file.into())
}

/// The free room of the file system that holds `folder`: whether no block or no inode is left.
pub fn is_full(folder: BorrowedFd<'_>) -> bool {
    let mut statistics = MaybeUninit::<libc::statfs>::zeroed();
    // SAFETY: the out-parameter is valid for writing; a zeroed statfs is a valid one.
    let statistics = unsafe {
        if libc::fstatfs(folder.as_raw_fd(), statistics.as_mut_ptr()) != 0 {
            return false;
        }
        statistics.assume_init()
    };
    statistics.f_bavail == 0 || statistics.f_ffree == 0
}
