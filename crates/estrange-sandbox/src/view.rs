//! The file system that a guest sees: the system's own software, read-only, and folders of its own.
//!
//! Built once by the keeper as a small root in memory. The host's root stays mounted at [`HOST`], for the wardens
//! to take inputs from; each takes it away in its own copy before its guest starts.

use std::collections::BTreeSet;
use std::ffi::{CStr, CString, OsStr};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use crate::command::{INPUT, Limits, SCRATCH};
use crate::sys;
use crate::wire::{Access, Furniture, Mount, Role};

/// Where the keeper and the wardens find the host's root.
pub const HOST: &CStr = c"/.host";

/// Folders of the host that hold software; a guest may read and execute what is in them.
const SOFTWARE: [&str; 7] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/// Parts of the host's `/etc` that software needs to find its parts; nothing there tells of users or the network.
const CONFIGURATION: [&str; 5] =
    ["/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime"];
/// Devices without state. `/dev/zero` is not among them: mapped and shared, it is memory that nobody is charged for.
const DEVICES: [&str; 4] = ["/dev/null", "/dev/full", "/dev/random", "/dev/urandom"];

/// Whether a path, without links in it, is part of the system's own software, which every run sees.
pub fn is_software(path: &Path) -> bool {
    SOFTWARE.iter().any(|folder| path.starts_with(folder))
}

const NO_DATA: &CStr = c"";
/// Where the new root is made before it becomes the root.
const STAGE: &str = "/tmp";

/// Builds the guests' root and moves this process into it. Needs a mount namespace of its own.
pub fn build(user: u32) -> io::Result<()> {
    // What the host mounts later can be an input too; nothing mounted here shows on the host.
    sys::mount(c"none", c"/", NO_DATA, libc::MS_REC | libc::MS_SLAVE, NO_DATA)?;
    sys::mount(c"estrange", c"/tmp", c"tmpfs", libc::MS_NOSUID | libc::MS_NODEV, c"size=1m,nr_inodes=4096,mode=0755")?;
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
    std::env::set_current_dir("/")
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
    bind(&c_path(source)?, target, found.is_dir(), attributes)
}

fn bind(source: &CStr, target: &Path, is_folder: bool, attributes: u64) -> io::Result<()> {
    if is_folder {
        fs::create_dir_all(target)?;
    } else if !target.exists() {
        target.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(target, "")?;
    }
    let target = c_path(target)?;
    // Recursive, because what is mounted below may not be uncovered in a user namespace.
    sys::mount(source, &target, NO_DATA, libc::MS_BIND | libc::MS_REC, NO_DATA)?;
    sys::mount(c"none", &target, NO_DATA, libc::MS_REC | libc::MS_PRIVATE, NO_DATA)?;
    sys::restrict_mount(&target, attributes, true)
}

/// More bytes or files than any machine has room for, and fewer than the kernel's arithmetic minds.
const MOST: u64 = 1 << 50;

/// What one run adds to the view, in a copy of it that is the run's own: scratch, inputs, places; and the host goes.
pub fn furnish(furniture: &Furniture, limits: &Limits, user: u32) -> io::Result<()> {
    // Zero would mean "no limit" to the kernel; two files are the folder itself and its temporary folder.
    let (bytes, files) = (limits.disk.clamp(4096, MOST), limits.files.clamp(1, MOST) + 2);
    let options = CString::new(format!("size={bytes},nr_inodes={files},mode=0755,uid={user},gid={user}"))?;
    let run_from = if furniture.role == Role::Tool { libc::MS_NOEXEC } else { 0 };
    sys::mount(c"scratch", c"/scratch", c"tmpfs", libc::MS_NOSUID | libc::MS_NODEV | run_from, &options)?;
    fs::create_dir("/scratch/.tmp")?;
    std::os::unix::fs::chown("/scratch/.tmp", Some(user), Some(user))?;
    show_inputs(&furniture.inputs, user)?;
    show_places(&furniture.places)?;
    sys::restrict_mount(c"/", READ_ONLY, false)?;
    sys::unmount_lazily(HOST)
}

fn show_inputs(inputs: &[(CString, CString)], user: u32) -> io::Result<()> {
    if inputs.is_empty() {
        return Ok(());
    }
    sys::mount(c"input", c"/input", c"tmpfs", SEALED, c"size=1m,mode=0755")?;
    for (host, name) in inputs {
        let source = on_host(host)?;
        let found = fs::metadata(path(&source))?;
        let is_folder = found.is_dir();
        let needed = if is_folder { 0o005 } else { 0o004 };
        if found.uid() != user && found.mode() & needed != needed {
            let name = name.to_string_lossy();
            return Err(io::Error::other(format!("the input {name} is not readable for others, as the guest is")));
        }
        bind(&source, &Path::new(INPUT).join(path(name)), is_folder, READ_ONLY | libc::MOUNT_ATTR_NODEV)?;
    }
    sys::restrict_mount(c"/input", READ_ONLY, false)
}

/// Shows each place under its own name. What lies between the root and a place is empty folders.
fn show_places(places: &[Mount]) -> io::Result<()> {
    // A place within another is shown after it, and so lies over it.
    let mut places: Vec<&Mount> = places.iter().collect();
    places.sort_by_key(|place| (path(&place.shown).components().count(), place.access));
    let mut between = BTreeSet::new();
    for place in places {
        let (source, shown) = (on_host(&place.host)?, path(&place.shown));
        if is_software(shown) && place.access != Access::Write {
            continue;
        }
        if let Some(top) = top(shown).filter(|top| !is_ours(top) && !between.contains(top)) {
            fs::create_dir_all(&top)?;
            sys::mount(c"between", &c_path(&top)?, c"tmpfs", SEALED, c"size=1m,mode=0755")?;
            between.insert(top);
        }
        let attributes = libc::MOUNT_ATTR_NOSUID
            | libc::MOUNT_ATTR_NODEV
            | match place.access {
                Access::Read => libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOEXEC,
                Access::Load => libc::MOUNT_ATTR_RDONLY,
                Access::Write => libc::MOUNT_ATTR_NOEXEC,
            };
        let is_folder = fs::metadata(path(&source))?.is_dir();
        bind(&source, shown, is_folder, attributes)?;
    }
    between.iter().try_for_each(|top| sys::restrict_mount(&c_path(top)?, READ_ONLY, false))
}

/// The first folder of an absolute path; nothing for the root itself.
fn top(shown: &Path) -> Option<PathBuf> {
    let first = shown.components().find(|part| matches!(part, Component::Normal(_)))?;
    Some(Path::new("/").join(first))
}

/// Whether the view itself has a folder of this name, as every run sees it.
fn is_ours(top: &Path) -> bool {
    let made = [SCRATCH, INPUT, "/proc", "/etc", "/dev", "/tmp"];
    SOFTWARE.iter().chain(&made).any(|folder| Path::new(folder) == top)
}

const SEALED: libc::c_ulong = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;

/// A path of the host as long as the host can be seen.
fn on_host(host: &CStr) -> io::Result<CString> {
    Ok(CString::new([HOST.to_bytes(), host.to_bytes()].concat())?)
}

fn path(text: &CStr) -> &Path {
    Path::new(OsStr::from_bytes(text.to_bytes()))
}

fn c_path(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}
