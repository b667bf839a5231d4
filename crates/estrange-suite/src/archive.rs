//! Trees as archives: how they travel into guests and out of them.
//!
//! A project that was built is kept as the archive that its guest packed, with the times of its files to the nanosecond.
//! Every later guest unpacks it anew, so that nothing that one of them does reaches another.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read};
use std::ops::Range;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tar::{Archive, Builder, EntryType, Header};

/// The age of every file of a tree: all the same, so that no build makes anew what came with the source.
const AGE: u64 = 978_307_200;

/// Folders that hold the history of a source, and with it the texts that are asked for.
const HISTORY: [&str; 3] = [".git", ".hg", ".svn"];

/// What a file in an archive is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A regular file: where its bytes stand in the archive, and their hash.
    File {
        /// Its bytes.
        bytes: Range<usize>,
        /// Their hash.
        digest: blake3::Hash,
    },
    /// A symbolic or hard link, to this path.
    Link(String),
}

/// An archive whose files are known.
#[derive(Debug)]
pub struct Image {
    bytes: Vec<u8>,
    files: BTreeMap<String, Kind>,
}

impl Image {
    /// Reads what is in an archive that a guest packed. Only files below `tree/` count.
    pub fn read(bytes: Vec<u8>) -> io::Result<Self> {
        let mut files = BTreeMap::new();
        for entry in Archive::new(bytes.as_slice()).entries()? {
            let mut entry = entry?;
            let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            let Some(path) = path.strip_prefix("tree/").filter(|path| !path.is_empty()) else { continue };
            let path = path.to_owned();
            let kind = match entry.header().entry_type() {
                EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
                    let start = entry.raw_file_position() as usize;
                    let mut content = Vec::new();
                    entry.read_to_end(&mut content)?;
                    Kind::File { bytes: start..start + content.len(), digest: blake3::hash(&content) }
                }
                EntryType::Symlink | EntryType::Link => {
                    let target = entry.link_name_bytes().unwrap_or_default();
                    Kind::Link(String::from_utf8_lossy(&target).into_owned())
                }
                _ => continue,
            };
            files.insert(path, kind);
        }
        Ok(Self { bytes, files })
    }

    /// The archive itself.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its files, by their paths in the tree.
    pub fn files(&self) -> &BTreeMap<String, Kind> {
        &self.files
    }

    /// The hash of a regular file.
    pub fn digest(&self, path: &str) -> Option<blake3::Hash> {
        match self.files.get(path)? {
            Kind::File { digest, .. } => Some(*digest),
            Kind::Link(_) => None,
        }
    }

    /// The bytes of a regular file.
    pub fn content(&self, path: &str) -> Option<&[u8]> {
        match self.files.get(path)? {
            Kind::File { bytes, .. } => self.bytes.get(bytes.clone()),
            Kind::Link(_) => None,
        }
    }
}

/// Packs a folder of the host as `tree/`: files, folders and links, without their history. The second value has the paths of
/// its regular files and links.
pub fn pack_tree(folder: &Path) -> io::Result<(Vec<u8>, BTreeSet<String>)> {
    let mut pack = Pack { builder: Builder::new(Vec::new()), paths: BTreeSet::new() };
    pack.folder(folder, "tree")?;
    Ok((pack.builder.into_inner()?, pack.paths))
}

struct Pack {
    builder: Builder<Vec<u8>>,
    paths: BTreeSet<String>,
}

impl Pack {
    fn folder(&mut self, folder: &Path, name: &str) -> io::Result<()> {
        let mut at = header(EntryType::Directory, 0o755, 0);
        self.builder.append_data(&mut at, format!("{name}/"), io::empty())?;
        let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let (path, file_name) = (entry.path(), entry.file_name());
            let Some(file_name) = file_name.to_str() else { continue };
            let name = format!("{name}/{file_name}");
            let found = fs::symlink_metadata(&path)?;
            if found.is_dir() {
                if !HISTORY.contains(&file_name) {
                    self.folder(&path, &name)?;
                }
            } else if found.is_symlink() {
                let mut header = header(EntryType::Symlink, 0o777, 0);
                self.builder.append_link(&mut header, &name, fs::read_link(&path)?)?;
                self.paths.insert(name["tree/".len()..].to_owned());
            } else if found.is_file() {
                let bytes = fs::read(&path)?;
                let mode = if found.permissions().mode() & 0o111 != 0 { 0o755 } else { 0o644 };
                let mut header = header(EntryType::Regular, mode, bytes.len() as u64);
                self.builder.append_data(&mut header, &name, bytes.as_slice())?;
                self.paths.insert(name["tree/".len()..].to_owned());
            }
        }
        Ok(())
    }
}

/// Packs single files, by their paths below a guest's scratch folder.
pub fn pack_files<'a>(files: impl IntoIterator<Item = (String, &'a [u8])>) -> io::Result<Vec<u8>> {
    pack(files, 0o644)
}

/// The same, as programs.
pub fn pack_programs<'a>(files: impl IntoIterator<Item = (String, &'a [u8])>) -> io::Result<Vec<u8>> {
    pack(files, 0o755)
}

fn pack<'a>(files: impl IntoIterator<Item = (String, &'a [u8])>, mode: u32) -> io::Result<Vec<u8>> {
    let mut builder = Builder::new(Vec::new());
    for (path, bytes) in files {
        let mut header = header(EntryType::Regular, mode, bytes.len() as u64);
        builder.append_data(&mut header, path, bytes)?;
    }
    builder.into_inner()
}

fn header(kind: EntryType, mode: u32, size: u64) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_size(size);
    header.set_mtime(AGE);
    header
}
