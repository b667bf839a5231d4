//! The piece of ground on which one archive is unpacked: every write goes through here.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

use super::bounds::Bounds;
use super::left_out::{Omission, Omissions, printable};
use super::links::Links;
use super::name::Name;
use crate::loss::Loss;
use crate::rule::Rule;

/// A fresh, empty folder being filled from one archive.
///
/// Paths are resolved by the kernel beneath the folder and without links, of which there are none anyway: they are
/// kept in a list and made when the rest is done. The last of two entries of one name counts, if both are of one kind.
pub(super) struct Plot<'a> {
    /// The archive, for messages.
    archive: &'a str,
    path: PathBuf,
    root: OwnedFd,
    bounds: Bounds,
    entries: u64,
    bytes: u64,
    kinds: BTreeMap<String, Kind>,
    links: Links,
    omissions: Omissions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Folder,
    File,
    Link,
}

/// What came out of an archive: a folder without links, and the links to be made in it.
#[derive(Debug)]
pub(crate) struct Unpacked {
    pub(crate) links: Links,
    pub(crate) omissions: Omissions,
}

impl<'a> Plot<'a> {
    /// `path` must be an empty folder that nobody else writes to.
    pub(super) fn new(archive: &'a str, path: &Path, bounds: Bounds) -> Result<Self, Loss> {
        let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
        let root =
            rustix::fs::open(path, flags, Mode::empty()).map_err(|errno| Loss::io("open", path)(errno.into()))?;
        Ok(Self {
            archive,
            path: path.to_owned(),
            root,
            bounds,
            entries: 0,
            bytes: 0,
            kinds: BTreeMap::new(),
            links: Links::new(),
            omissions: Omissions::default(),
        })
    }

    pub(super) fn folder(&mut self, name: &[u8]) -> Result<(), Loss> {
        match self.admit(name)? {
            Some(path) => self.make_folder(&path, name),
            None => Ok(()),
        }
    }

    /// Writes a file; `from` is read to its end, which must come within the bounds.
    pub(super) fn file(&mut self, name: &[u8], executable: bool, from: &mut dyn Read) -> Result<(), Loss> {
        let Some(path) = self.admit(name)? else { return Ok(()) };
        self.claim(&path, Kind::File, name)?;
        let mut file = self.create(&path, executable)?;
        let room = self.bounds.file.min(self.bounds.bytes - self.bytes);
        let copied = copy(&mut from.take(room + 1), &mut file).map_err(|failure| match failure {
            Failure::Read(error) => self.unreadable(error, name),
            Failure::Write(error) => Loss::io("write", self.path.join(&path))(error),
        })?;
        if copied > room {
            let (bound, limit) = if copied > self.bounds.file {
                ("a file", self.bounds.file)
            } else {
                ("all files together", self.bounds.bytes)
            };
            return Err(self.too_large(format!("more than {limit} bytes in {bound}"), name));
        }
        self.bytes += copied;
        Ok(())
    }

    pub(super) fn symbolic_link(&mut self, name: &[u8], target: &[u8]) -> Result<(), Loss> {
        let Some(path) = self.admit(name)? else { return Ok(()) };
        let Ok(target) = std::str::from_utf8(target) else {
            self.omissions.add(Omission::LinkOutside, name);
            return Ok(());
        };
        self.claim(&path, Kind::Link, name)?;
        self.links.insert(path, target.to_owned());
        Ok(())
    }

    /// A hard link becomes a copy of the file it names, which must have come before it.
    pub(super) fn hard_link(&mut self, name: &[u8], target: &[u8]) -> Result<(), Loss> {
        let source = match Name::read(target) {
            Name::Plain(path) if self.kinds.get(&path) == Some(&Kind::File) => path,
            Name::Refuse(rule) => return Err(self.hostile(rule, target)),
            _ => {
                self.entry(name)?;
                self.omissions.add(Omission::LinkToNothing, name);
                return Ok(());
            }
        };
        if matches!(Name::read(name), Name::Plain(path) if path == source) {
            return self.entry(name);
        }
        let file =
            self.open(&source, OFlags::RDONLY, Mode::empty()).map_err(Loss::io("open", self.path.join(&source)))?;
        let mut file = File::from(file);
        let executable = rustix::fs::fstat(&file).is_ok_and(|stat| stat.st_mode & 0o100 != 0);
        self.file(name, executable, &mut file)
    }

    pub(super) fn leave_out(&mut self, name: &[u8], reason: Omission) -> Result<(), Loss> {
        self.entry(name)?;
        self.omissions.add(reason, name);
        Ok(())
    }

    /// Ends the unpacking. With `strip`, a lone folder at the top is taken away, as release archives have one.
    pub(super) fn finish(mut self, strip: bool) -> Result<Unpacked, Loss> {
        let mut top = self.kinds.iter().filter(|(path, _)| !path.contains('/'));
        if strip && let (Some((lone, Kind::Folder)), None) = (top.next(), top.next()) {
            let lone = lone.clone();
            self.strip(&lone).map_err(Loss::io("rename", self.path.join(&lone)))?;
            let prefix = format!("{lone}/");
            let links = std::mem::take(&mut self.links);
            self.links = links
                .into_iter()
                .filter_map(|(path, target)| Some((path.strip_prefix(&prefix)?.to_owned(), target)))
                .collect();
        }
        Ok(Unpacked { links: self.links, omissions: self.omissions })
    }

    /// Puts the folder `lone` in the place of the folder it is in.
    fn strip(&self, lone: &str) -> io::Result<()> {
        // Beside the plot, under a name nothing else has: the plot's own folder is ours, and so are its siblings.
        let mut aside = self.path.clone().into_os_string();
        aside.push(".lone");
        fs::rename(self.path.join(lone), &aside)?;
        fs::remove_dir(&self.path)?;
        fs::rename(&aside, &self.path)
    }

    /// Counts an entry and decides on its name: a path to write to, or `None` if there is nothing to write.
    fn admit(&mut self, name: &[u8]) -> Result<Option<String>, Loss> {
        self.entry(name)?;
        match Name::read(name) {
            Name::Plain(path) => Ok(Some(path)),
            Name::Root => Ok(None),
            Name::LeaveOut(reason) => {
                self.omissions.add(reason, name);
                Ok(None)
            }
            Name::Refuse(rule) => Err(self.hostile(rule, name)),
        }
    }

    fn entry(&mut self, name: &[u8]) -> Result<(), Loss> {
        self.entries += 1;
        if self.entries > self.bounds.entries {
            return Err(self.too_large(format!("more than {} entries", self.bounds.entries), name));
        }
        Ok(())
    }

    /// Takes `path` for an entry of this kind, makes the folders above it, and removes what an earlier entry left.
    fn claim(&mut self, path: &str, kind: Kind, name: &[u8]) -> Result<(), Loss> {
        if let Some((parent, _)) = path.rsplit_once('/') {
            self.make_folder(parent, name)?;
        }
        match self.kinds.insert(path.to_owned(), kind) {
            None => return Ok(()),
            Some(Kind::Folder) => return Err(self.hostile(Rule::Conflict, name)),
            Some(Kind::Link) => {
                self.links.remove(path);
            }
            Some(Kind::File) => {
                let (parent, last) = self.parent(path)?;
                rustix::fs::unlinkat(&parent, last, AtFlags::empty())
                    .map_err(|errno| Loss::io("remove", self.path.join(path))(errno.into()))?;
            }
        }
        Ok(())
    }

    /// Makes a folder and those above it.
    fn make_folder(&mut self, path: &str, name: &[u8]) -> Result<(), Loss> {
        match self.kinds.get(path) {
            Some(Kind::Folder) => return Ok(()),
            Some(_) => return Err(self.hostile(Rule::BeneathNonFolder, name)),
            None => (),
        }
        if let Some((above, _)) = path.rsplit_once('/') {
            self.make_folder(above, name)?;
        }
        // A few entries with deep paths of their own could ask for very many folders.
        if self.kinds.len() as u64 >= self.bounds.entries {
            return Err(self.too_large(format!("more than {} entries", self.bounds.entries), name));
        }
        let (parent, last) = self.parent(path)?;
        rustix::fs::mkdirat(&parent, last, Mode::from_raw_mode(0o755))
            .map_err(|errno| Loss::io("make the folder", self.path.join(path))(errno.into()))?;
        self.kinds.insert(path.to_owned(), Kind::Folder);
        Ok(())
    }

    fn create(&self, path: &str, executable: bool) -> Result<File, Loss> {
        let mode = Mode::from_raw_mode(if executable { 0o755 } else { 0o644 });
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        let made = self.open(path, flags, mode).and_then(|file| {
            // The mode at creation went through the umask.
            rustix::fs::fchmod(&file, mode)?;
            Ok(File::from(file))
        });
        made.map_err(Loss::io("create", self.path.join(path)))
    }

    /// The folder that holds `path`, and the last part of `path`.
    fn parent<'p>(&self, path: &'p str) -> Result<(OwnedFd, &'p str), Loss> {
        let (parent, last) = path.rsplit_once('/').unwrap_or((".", path));
        let opened = self.open(parent, OFlags::DIRECTORY | OFlags::RDONLY, Mode::empty());
        Ok((opened.map_err(Loss::io("open", self.path.join(parent)))?, last))
    }

    fn open(&self, path: &str, flags: OFlags, mode: Mode) -> io::Result<OwnedFd> {
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        loop {
            match rustix::fs::openat2(&self.root, path, flags | OFlags::CLOEXEC, mode, resolve) {
                // The kernel asks for another try where a rename elsewhere disturbed the look-up.
                Err(Errno::AGAIN | Errno::INTR) => (),
                other => return Ok(other?),
            }
        }
    }

    pub(super) fn hostile(&self, rule: Rule, name: &[u8]) -> Loss {
        Loss::Hostile { archive: self.archive.to_owned(), rule, entry: printable(name) }
    }

    pub(super) fn too_large(&self, bound: String, name: &[u8]) -> Loss {
        Loss::TooLarge { what: self.archive.to_owned(), bound, entry: printable(name) }
    }

    /// The loss behind a read that failed: a bound that the decompressor's meter found passed, or damage.
    pub(super) fn unreadable(&self, error: io::Error, name: &[u8]) -> Loss {
        match error.downcast::<super::decompress::Passed>() {
            Ok(passed) => passed.into_loss(self.archive, name),
            Err(error) => Loss::Damaged { what: self.archive.to_owned(), detail: error.to_string() },
        }
    }
}

enum Failure {
    Read(io::Error),
    Write(io::Error),
}

/// Copies to the end, and tells reading from writing when something fails.
fn copy(from: &mut impl Read, to: &mut impl Write) -> Result<u64, Failure> {
    let mut chunk = vec![0; 64 * 1024];
    let mut copied = 0;
    loop {
        match from.read(&mut chunk) {
            Ok(0) => return Ok(copied),
            Ok(count) => {
                to.write_all(&chunk[..count]).map_err(Failure::Write)?;
                copied += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(error) => return Err(Failure::Read(error)),
        }
    }
}
