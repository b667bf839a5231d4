//! What the tests of this crate share.
#![allow(dead_code, clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use estrange_sandbox::{Launcher, Protection, Sandbox};
use estrange_source::{Cache, Fetched, Loss, Silent, Spec, fetch};
use tempfile::TempDir;

/// A cache of its own, and a sandbox.
pub struct Bench {
    pub folder: TempDir,
    pub cache: Cache,
    pub sandbox: Sandbox,
}

impl Bench {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path().join("cache")).unwrap();
        Self { folder, cache, sandbox: Sandbox::start(&Launcher::this_program(), Protection::Required).unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn fetch(&self, spec: &str) -> Result<Fetched, Loss> {
        fetch(&spec.parse::<Spec>()?, &self.cache, &self.sandbox, &Silent)
    }

    /// Fetches what must be there.
    pub fn get(&self, spec: &str) -> Fetched {
        self.fetch(spec).unwrap_or_else(|loss| panic!("{spec}: {loss}"))
    }

    /// Fetches what cannot be had, and says why.
    pub fn loss(&self, spec: &str) -> Loss {
        match self.fetch(spec) {
            Ok(fetched) => panic!("{spec} was had: {fetched:?}"),
            Err(loss) => loss,
        }
    }

    /// The only entry of a folder of the cache.
    pub fn only(&self, folder: &str) -> PathBuf {
        let entries: Vec<PathBuf> =
            fs::read_dir(self.cache.path().join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(entries.len(), 1, "{entries:?}");
        entries[0].clone()
    }

    /// What a folder of the cache holds.
    pub fn count(&self, folder: &str) -> usize {
        fs::read_dir(self.cache.path().join(folder)).unwrap().count()
    }
}

/// Writes a tar archive of these files, all in the folder `x-1.0`.
pub fn write_tar(path: &Path, files: &[(&str, &str)]) {
    let mut builder = tar::Builder::new(fs::File::create(path).unwrap());
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, format!("x-1.0/{name}"), content.as_bytes()).unwrap();
    }
    builder.finish().unwrap();
}

/// Everything in a folder: path, kind and content.
pub fn listing(root: &Path) -> Vec<(String, String)> {
    fn walk(root: &Path, at: &Path, found: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(root.join(at)).unwrap() {
            let entry = entry.unwrap();
            let path = at.join(entry.file_name());
            let name = path.to_str().unwrap().to_owned();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                found.push((name, "a folder".to_owned()));
                walk(root, &path, found);
            } else if kind.is_symlink() {
                found.push((name, format!("a link to {}", fs::read_link(entry.path()).unwrap().display())));
            } else {
                found.push((name, String::from_utf8_lossy(&fs::read(entry.path()).unwrap()).into_owned()));
            }
        }
    }
    let mut found = Vec::new();
    walk(root, Path::new(""), &mut found);
    found.sort();
    found
}
