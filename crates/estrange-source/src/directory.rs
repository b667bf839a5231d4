//! A folder of this machine as a source: a snapshot of it is kept, so that what was fetched stays what it was.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::cache::{Key, Made};
use crate::fetched::Fetched;
use crate::job::Job;
use crate::loss::Loss;
use crate::spec::{Origin, Spec};
use crate::tree::{self, Entry, Kind};
use crate::unpack::left_out::Omissions;
use crate::unpack::links::stays_inside;
use crate::unpack::{Omission, VERSION};

/// What version control systems keep in a working folder.
const VERSION_CONTROL: [&str; 8] = [".git", ".hg", ".svn", ".bzr", "_darcs", ".jj", ".pijul", "CVS"];

/// Takes a snapshot of the folder `path`.
pub(crate) fn fetch(job: &Job<'_>, spec: &Spec, path: &Path) -> Result<Fetched, Loss> {
    let root = path.canonicalize().map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Loss::NotFound { what: path.display().to_string() },
        _ => Loss::io("open", path)(error),
    })?;
    if !root.is_dir() {
        let format = "a file that is neither a folder nor named like an archive".to_owned();
        return Err(Loss::Unsupported { what: path.display().to_string(), format });
    }
    let mut survey = Survey { job, root: &root, entries: Vec::new(), omissions: Omissions::default(), bytes: 0 };
    survey.folder(Path::new(""))?;
    let Survey { mut entries, omissions, .. } = survey;
    let summary = tree::summarize_entries(&root, &mut entries).map_err(Loss::io("read", &root))?;
    let what = spec.name();
    let key = Key::new("directory", [VERSION, &summary.digest.to_string()]);
    let tree = job.cache.tree(&key, &what, job.progress, |work| {
        let copy = work.join("root");
        copy_entries(&root, &entries, &copy)?;
        let found = tree::summarize(&copy).map_err(Loss::io("read", &copy))?.digest;
        if found != summary.digest {
            return Err(Loss::Damaged { what: what.clone(), detail: "it changed while it was read".to_owned() });
        }
        Ok(Made::default())
    })?;
    let version = format!("tree:{:.12}", tree.summary.digest.to_string());
    let mut fetched = Fetched::new(spec, Origin::Directory(path.to_owned()), version, Vec::new(), tree)?;
    // Counted now, because the same tree may come from folders in which different things are left out.
    fetched.left_out.splice(..0, omissions.into_list());
    Ok(fetched)
}

/// What of a folder is taken.
struct Survey<'a> {
    job: &'a Job<'a>,
    root: &'a Path,
    entries: Vec<Entry>,
    omissions: Omissions,
    bytes: u64,
}

impl Survey<'_> {
    fn folder(&mut self, folder: &Path) -> Result<(), Loss> {
        let whole = self.root.join(folder);
        let listed = match fs::read_dir(&whole) {
            Err(error) if error.kind() == ErrorKind::PermissionDenied && !folder.as_os_str().is_empty() => {
                self.leave_out(Omission::Unreadable, folder);
                return Ok(());
            }
            listed => listed.map_err(Loss::io("read", &whole))?,
        };
        if !folder.as_os_str().is_empty() {
            self.take(folder.to_owned(), Kind::Folder)?;
        }
        for entry in listed {
            let entry = entry.map_err(Loss::io("read", &whole))?;
            let path = folder.join(entry.file_name());
            let kind = entry.file_type().map_err(Loss::io("read", entry.path()))?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                self.leave_out(Omission::NameNotUtf8, &path);
                continue;
            };
            if name.contains(char::is_control) {
                self.leave_out(Omission::NameControl, &path);
            } else if VERSION_CONTROL.contains(&name) {
                self.leave_out(Omission::VersionControl, &path);
            } else if kind.is_dir() && entry.path() == self.job.cache.path() {
                self.leave_out(Omission::Cache, &path);
            } else if kind.is_dir() && path.components().count() >= 64 {
                self.leave_out(Omission::NameTooDeep, &path);
            } else if kind.is_dir() {
                self.folder(&path)?;
            } else if kind.is_symlink() {
                self.link(path)?;
            } else if kind.is_file() {
                self.file(path)?;
            } else {
                self.leave_out(Omission::NotAFile, &path);
            }
        }
        Ok(())
    }

    fn link(&mut self, path: PathBuf) -> Result<(), Loss> {
        let whole = self.root.join(&path);
        let target = fs::read_link(&whole).map_err(Loss::io("read", &whole))?;
        let inside = path.to_str().zip(target.to_str()).is_some_and(|(path, target)| stays_inside(path, target));
        if inside {
            return self.take(path, Kind::Link(target));
        }
        self.leave_out(Omission::LinkOutside, &path);
        Ok(())
    }

    fn file(&mut self, path: PathBuf) -> Result<(), Loss> {
        let whole = self.root.join(&path);
        let metadata = match open(&whole).and_then(|file| file.metadata()) {
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                self.leave_out(Omission::Unreadable, &path);
                return Ok(());
            }
            metadata => metadata.map_err(Loss::io("read", &whole))?,
        };
        let bounds = self.job.cache.bounds();
        self.bytes = self.bytes.saturating_add(metadata.len());
        if metadata.len() > bounds.file {
            return Err(self.too_large(format!("more than {} bytes in a file", bounds.file), &path));
        }
        if self.bytes > bounds.bytes {
            return Err(self.too_large(format!("more than {} bytes in all files together", bounds.bytes), &path));
        }
        self.take(path, Kind::File { executable: metadata.permissions().mode() & 0o100 != 0 })
    }

    fn take(&mut self, path: PathBuf, kind: Kind) -> Result<(), Loss> {
        let most = self.job.cache.bounds().entries;
        if self.entries.len() as u64 >= most {
            return Err(self.too_large(format!("more than {most} entries"), &path));
        }
        self.entries.push(Entry { path, kind });
        Ok(())
    }

    fn leave_out(&mut self, reason: Omission, path: &Path) {
        self.omissions.add(reason, path.as_os_str().as_encoded_bytes());
    }

    fn too_large(&self, bound: String, path: &Path) -> Loss {
        Loss::TooLarge { what: self.root.display().to_string(), bound, entry: path.display().to_string() }
    }
}

/// Copies the entries, which are sorted, so that a folder comes before what is in it.
fn copy_entries(from: &Path, entries: &[Entry], to: &Path) -> Result<(), Loss> {
    fs::create_dir(to).map_err(Loss::io("make the folder", to))?;
    for entry in entries {
        let (source, copy) = (from.join(&entry.path), to.join(&entry.path));
        let copied = match &entry.kind {
            Kind::Folder => fs::create_dir(&copy),
            Kind::Link(target) => std::os::unix::fs::symlink(target, &copy),
            Kind::File { executable } => copy_file(&source, &copy, *executable),
        };
        copied.map_err(Loss::io("copy", &source))?;
    }
    Ok(())
}

fn copy_file(from: &Path, to: &Path, executable: bool) -> io::Result<()> {
    let mut copy = File::create_new(to)?;
    io::copy(&mut open(from)?, &mut copy)?;
    copy.set_permissions(fs::Permissions::from_mode(if executable { 0o755 } else { 0o644 }))
}

/// Opens a file without following a link or waiting for a pipe, whatever has taken its name meanwhile.
fn open(path: &Path) -> io::Result<File> {
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}
