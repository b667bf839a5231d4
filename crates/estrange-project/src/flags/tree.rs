//! The files of a source tree as the search for flags sees them: by path and by name, read once.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::paths;

/// Folders that hold history, not source.
const SKIPPED: [&str; 5] = [".git", ".hg", ".svn", ".bzr", ".pc"];

/// No tree is walked beyond this many files.
const BOUND: usize = 500_000;

/// Files longer than this are not read as source.
const READ_BOUND: u64 = 32 * 1024 * 1024;

#[derive(Debug)]
enum Content {
    OnDisk,
    Made(String),
}

/// The regular files below a root, and those that were made for it. Paths are relative, written with slashes; those that are not UTF-8 are left out.
#[derive(Debug)]
pub(crate) struct Tree {
    root: PathBuf,
    files: BTreeMap<String, Content>,
    by_name: HashMap<String, BTreeSet<String>>,
}

impl Tree {
    /// Walks the tree. Links are not followed out of it; what cannot be read is left out.
    pub fn walk(root: &Path) -> Self {
        let mut tree = Self { root: root.to_owned(), files: BTreeMap::new(), by_name: HashMap::new() };
        let mut folders = vec![String::new()];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = fs::read_dir(root.join(&folder)) else { continue };
            for entry in entries.flatten() {
                let name = entry.file_name();
                let (Some(name), Ok(kind)) = (name.to_str(), entry.file_type()) else { continue };
                let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
                if kind.is_dir() && !SKIPPED.contains(&name) {
                    folders.push(path);
                } else if (kind.is_file() || kind.is_symlink() && links_inside(root, &entry.path()))
                    && tree.files.len() < BOUND
                {
                    tree.add(path, Content::OnDisk);
                }
            }
        }
        tree
    }

    fn add(&mut self, path: String, content: Content) {
        self.by_name.entry(paths::name(&path).to_owned()).or_default().insert(path.clone());
        self.files.insert(path, content);
    }

    /// Adds a file that the tree lacks. It is not written to disk.
    pub fn make(&mut self, path: String, text: String) {
        self.add(path, Content::Made(text));
    }

    /// Takes back the files that were made, but for those in `used`.
    pub fn forget_made_but(&mut self, used: &HashSet<&String>) {
        self.files.retain(|path, content| matches!(content, Content::OnDisk) || used.contains(path));
        for paths in self.by_name.values_mut() {
            paths.retain(|path| self.files.contains_key(path));
        }
    }

    /// The files that were made, with their texts.
    pub fn made(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|(path, content)| match content {
            Content::Made(text) => Some((path.as_str(), text.as_str())),
            Content::OnDisk => None,
        })
    }

    /// Where the tree lies.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether it has this file.
    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// All files, in order.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The files with this name, in order.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &str> {
        self.by_name.get(name).into_iter().flatten().map(String::as_str)
    }

    /// The content of a file, as text; empty if it cannot be read or is absurdly long.
    pub fn text(&self, path: &str) -> String {
        let host = self.root.join(path);
        match self.files.get(path) {
            Some(Content::Made(text)) => text.clone(),
            Some(Content::OnDisk) if fs::metadata(&host).is_ok_and(|data| data.len() <= READ_BOUND) => {
                String::from_utf8_lossy(&fs::read(host).unwrap_or_default()).into_owned()
            }
            _ => String::new(),
        }
    }
}

fn links_inside(root: &Path, link: &Path) -> bool {
    let (Ok(root), Ok(target)) = (root.canonicalize(), link.canonicalize()) else { return false };
    target.starts_with(root) && target.is_file()
}
