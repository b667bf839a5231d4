//! The scratch folder of a finished run: untrusted content, read without ever following a link out of it.
//!
//! The folder lives in memory and in no path of the host: it stays for as long as this handle does.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::command::SCRATCH;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, ResolveFlags};

/// A handle on what a run left in its scratch folder.
#[derive(Debug)]
pub struct Scratch {
    root: OwnedFd,
    /// The bytes it could hold, and so the bytes that may be copied out: holes and links make files look larger.
    room: u64,
    /// The path by which the guest knew it.
    guest_path: PathBuf,
    /// Where there are no walls the folder does have a path, and goes with the handle.
    _folder: Option<TempDir>,
}

/// What [`Scratch::copy_out`] did.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Copied {
    /// Regular files copied.
    pub files: u64,
    /// Bytes copied.
    pub bytes: u64,
    /// What was left behind: links, devices, sockets, what cannot be read, what lies too deep, what is
    /// larger than the folder's room.
    pub skipped: Vec<PathBuf>,
}

/// How deep below the folder that is copied out a file may lie; what is deeper is left behind.
const DEEPEST: usize = 64;

impl Scratch {
    pub(crate) fn new(root: OwnedFd, room: u64, folder: Option<TempDir>) -> Self {
        let guest_path = folder.as_ref().map_or(PathBuf::from(SCRATCH), |folder| folder.path().join("scratch"));
        Self { root, room, guest_path, _folder: folder }
    }

    /// The path by which the guest knew the folder: [`SCRATCH`], unless there were no walls.
    pub fn guest_path(&self) -> &Path {
        &self.guest_path
    }

    /// The content of a regular file, relative to the scratch folder; at most `bound` bytes.
    pub fn read(&self, path: impl AsRef<Path>, bound: u64) -> io::Result<Vec<u8>> {
        let file = open_beneath(&self.root, path.as_ref(), OFlags::RDONLY | OFlags::NONBLOCK)?;
        if !FileType::from_raw_mode(rustix::fs::fstat(&file)?.st_mode).is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        let mut bytes = Vec::new();
        File::from(file).take(bound).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Copies the regular files below the folder `from` for which `wanted` holds into the host folder `to`, which is
    /// made if need be. Links are not followed and not copied. `wanted` sees paths relative to `from`; a folder is
    /// entered only if `wanted` holds for it too. At most as many bytes are copied as the folder could hold.
    pub fn copy_out(
        &self,
        from: impl AsRef<Path>,
        to: &Path,
        wanted: impl FnMut(&Path, FileType) -> bool,
    ) -> io::Result<Copied> {
        let folder = open_beneath(&self.root, from.as_ref(), OFlags::RDONLY | OFlags::DIRECTORY)?;
        let mut copy = Copy { to, room: self.room, wanted, done: Copied::default() };
        copy.folder(&folder, Path::new(""))?;
        Ok(copy.done)
    }
}

fn open_beneath(root: &OwnedFd, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    Ok(rustix::fs::openat2(root, path, flags | OFlags::CLOEXEC, Mode::empty(), resolve)?)
}

/// A copy under way.
struct Copy<'a, W> {
    to: &'a Path,
    room: u64,
    wanted: W,
    done: Copied,
}

impl<W: FnMut(&Path, FileType) -> bool> Copy<'_, W> {
    fn folder(&mut self, folder: &OwnedFd, relative: &Path) -> io::Result<()> {
        fs::create_dir_all(self.to.join(relative))?;
        for entry in Dir::read_from(folder)? {
            let entry = entry?;
            let name = Path::new(OsStr::from_bytes(entry.file_name().to_bytes()));
            if name == Path::new(".") || name == Path::new("..") {
                continue;
            }
            let path = relative.join(name);
            let kind = match entry.file_type() {
                FileType::Unknown => {
                    let stat = rustix::fs::statat(folder.as_fd(), name, AtFlags::SYMLINK_NOFOLLOW)?;
                    FileType::from_raw_mode(stat.st_mode)
                }
                kind => kind,
            };
            if !(self.wanted)(&path, kind) {
                continue;
            }
            let opened = match kind {
                FileType::RegularFile => open_beneath(folder, name, OFlags::RDONLY | OFlags::NONBLOCK),
                FileType::Directory if path.components().count() < DEEPEST => {
                    open_beneath(folder, name, OFlags::RDONLY | OFlags::DIRECTORY)
                }
                _ => Err(io::ErrorKind::InvalidInput.into()),
            };
            match (opened, kind) {
                (Ok(opened), FileType::Directory) => self.folder(&opened, &path)?,
                (Ok(opened), _) => self.file(opened.into(), path)?,
                (Err(_), _) => self.done.skipped.push(path),
            }
        }
        Ok(())
    }

    fn file(&mut self, from: File, path: PathBuf) -> io::Result<()> {
        let size = from.metadata()?.len();
        let Some(room) = self.room.checked_sub(size) else {
            self.done.skipped.push(path);
            return Ok(());
        };
        self.room = room;
        // A link in the way on our side is not followed either.
        let mut target = File::options();
        target.write(true).create(true).truncate(true).custom_flags(OFlags::NOFOLLOW.bits() as i32);
        self.done.bytes += io::copy(&mut from.take(size), &mut target.open(self.to.join(path))?)?;
        self.done.files += 1;
        Ok(())
    }
}
