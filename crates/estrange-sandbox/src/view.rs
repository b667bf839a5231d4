//! The file system that a guest sees: the system's own software, read-only, and folders of its own.
//!
//! Built once by the keeper as a small root in memory. The host's root stays mounted at [`HOST`], for the wardens
//! to take inputs from; each takes it away in its own copy before its guest starts.

use std::ffi::{CStr, CString, OsStr};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::command::{INPUT, Limits, SCRATCH};
use crate::sys;

/// Where the keeper and the wardens find the host's root.
pub const HOST: &CStr = c"/.host";

/// Folders of the host that hold software; a guest may read and execute what is in them.
const SOFTWARE: [&str; 7] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/// Parts of the host's `/etc` that software needs to find its parts; nothing there tells of users or the network.
const CONFIGURATION: [&str; 5] =
    ["/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime"];
/// Devices without state. `/dev/zero` is not among them: mapped and shared, it is memory that nobody is charged for.
const DEVICES: [&str; 4] = ["/dev/null", "/dev/full", "/dev/random", "/dev/urandom"];

const NO_DATA: &CStr = c"";
/// Where the new root is made before it becomes the root.
const STAGE: &str = "/tmp";

/// Builds the guests' root and moves this process into it. Needs a mount namespace of its own.
pub fn build(user: u32) -> io::Result<()> {
    // What the host mounts later can be an input too; nothing mounted here shows on the host.
    sys::mount(c"none", c"/", NO_DATA, libc::MS_REC | libc::MS_SLAVE, NO_DATA)?;
    sys::mount(c"estrange", c"/tmp", c"tmpfs", libc::MS_NOSUID | libc::MS_NODEV, c"size=1m,nr_inodes=256,mode=0755")?;
    let stage = Path::new(STAGE);
    for folder in [SCRATCH, INPUT, "/proc", "/etc", "/dev", "/.host"] {
        fs::create_dir(stage.join(&folder[1..]))?;
    }
    for path in SOFTWARE.iter().chain(&CONFIGURATION) {
        show(Path::new(path), &stage.join(&path[1..]), READ_ONLY | libc::MOUNT_ATTR_NODEV)?;
    }
    for path in DEVICES {
        show(Path::new(path), &stage.join(&path[1..]), libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NOEXEC)?;
    }
    for (link, target) in [
        ("tmp", "/scratch/.tmp"),
        ("dev/shm", "/scratch/.tmp"),
        ("dev/fd", "/proc/self/fd"),
        ("dev/stdin", "/proc/self/fd/0"),
        ("dev/stdout", "/proc/self/fd/1"),
        ("dev/stderr", "/proc/self/fd/2"),
    ] {
        std::os::unix::fs::symlink(target, stage.join(link))?;
    }
    fs::write(stage.join("etc/passwd"), format!("guest:x:{user}:{user}:guest:{SCRATCH}:/bin/sh\n"))?;
    fs::write(stage.join("etc/group"), format!("guest:x:{user}:\n"))?;
    fs::write(stage.join("etc/nsswitch.conf"), "passwd: files\ngroup: files\nhosts: files\n")?;
    sys::pivot_root(c"/tmp", c"/tmp/.host")?;
    std::env::set_current_dir("/")?;
    sys::restrict_mount(c"/", READ_ONLY, false)
}

const READ_ONLY: u64 = libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID;

/// Shows a path of the host at `target`: a link as the same link, all else as a mount with `attributes`.
fn show(source: &Path, target: &Path, attributes: u64) -> io::Result<()> {
    let Ok(found) = fs::symlink_metadata(source) else { return Ok(()) };
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder)?;
    }
    if found.is_symlink() {
        return std::os::unix::fs::symlink(fs::read_link(source)?, target);
    }
    let source = CString::new(source.as_os_str().as_bytes())?;
    bind(&source, target, found.is_dir(), attributes)
}

fn bind(source: &CStr, target: &Path, is_folder: bool, attributes: u64) -> io::Result<()> {
    if is_folder {
        fs::create_dir(target)?;
    } else {
        fs::write(target, "")?;
    }
    let target = CString::new(target.as_os_str().as_bytes())?;
    // Recursive, because what is mounted below may not be uncovered in a user namespace.
    sys::mount(source, &target, NO_DATA, libc::MS_BIND | libc::MS_REC, NO_DATA)?;
    sys::mount(c"none", &target, NO_DATA, libc::MS_REC | libc::MS_PRIVATE, NO_DATA)?;
    sys::restrict_mount(&target, attributes, true)
}

/// More bytes or files than any machine has room for, and fewer than the kernel's arithmetic minds.
const MOST: u64 = 1 << 50;

/// What one run adds to the view, in the warden's own copy of it: processes, scratch, inputs; and the host goes.
pub fn furnish(inputs: &[(CString, CString)], limits: &Limits, user: u32) -> io::Result<()> {
    let sealed = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    sys::mount(c"proc", c"/proc", c"proc", sealed, c"subset=pid")?;
    // Zero would mean "no limit" to the kernel; two files are the folder itself and its temporary folder.
    let (bytes, files) = (limits.disk.clamp(4096, MOST), limits.files.clamp(1, MOST) + 2);
    let options = format!("size={bytes},nr_inodes={files},mode=0755,uid={user},gid={user}");
    sys::mount(c"scratch", c"/scratch", c"tmpfs", libc::MS_NOSUID | libc::MS_NODEV, &CString::new(options)?)?;
    fs::create_dir("/scratch/.tmp")?;
    std::os::unix::fs::chown("/scratch/.tmp", Some(user), Some(user))?;
    if !inputs.is_empty() {
        sys::mount(c"input", c"/input", c"tmpfs", sealed, c"size=1m,mode=0755")?;
    }
    for (host, name) in inputs {
        let source = [HOST.to_bytes(), host.to_bytes()].concat();
        let found = fs::metadata(Path::new(OsStr::from_bytes(&source)))?;
        let is_folder = found.is_dir();
        let needed = if is_folder { 0o005 } else { 0o004 };
        if found.uid() != user && found.mode() & needed != needed {
            let name = name.to_string_lossy();
            return Err(io::Error::other(format!("the input {name} is not readable for others, as the guest is")));
        }
        let target = Path::new(INPUT).join(OsStr::from_bytes(name.to_bytes()));
        bind(&CString::new(source)?, &target, is_folder, READ_ONLY | libc::MOUNT_ATTR_NODEV)?;
    }
    if !inputs.is_empty() {
        sys::restrict_mount(c"/input", READ_ONLY, false)?;
    }
    sys::unmount_lazily(HOST)
}
