//! The texts of a tree while patches are applied to it in memory.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use estrange_diff::{Changed, Patch, Unapplied};

/// A tree on disk, overlaid with what patches made of it.
pub(super) struct Texts {
    root: PathBuf,
    made: BTreeMap<String, Option<Vec<u8>>>,
}

impl Texts {
    pub(super) fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), made: BTreeMap::new() }
    }

    /// Applies a patch, whole or not at all.
    pub(super) fn apply(&mut self, patch: &Patch) -> Result<Vec<Changed>, Unapplied> {
        let changed = patch.apply(1, |path| self.get(path))?;
        for file in &changed {
            if let Some(path) = &file.old_path {
                self.made.insert(path.clone(), None);
            }
            if let Some(path) = &file.new_path {
                self.made.insert(path.clone(), Some(file.text.clone()));
            }
        }
        Ok(changed)
    }

    fn get(&self, path: &str) -> Option<Vec<u8>> {
        self.made.get(path).cloned().unwrap_or_else(|| read(&self.root, path))
    }

    /// The files that another tree has otherwise.
    pub(super) fn differing(&self, root: &Path) -> Vec<&str> {
        let is_other = |(path, text): &(&String, &Option<Vec<u8>>)| {
            // What a patch leaves empty is removed.
            let text = text.as_ref().filter(|text| !text.is_empty());
            read(root, path).as_ref().filter(|text| !text.is_empty()) != text
        };
        self.made.iter().filter(is_other).map(|(path, _)| path.as_str()).collect()
    }
}

/// A regular file of a tree that is not reached through a link.
fn read(root: &Path, path: &str) -> Option<Vec<u8>> {
    let mut place = root.to_owned();
    for part in path.split('/') {
        place.push(part);
        if place.symlink_metadata().ok()?.is_symlink() {
            return None;
        }
    }
    place.is_file().then(|| fs::read(&place).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_text_in_another_tree_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let tree = |name: &str, files: &[(&str, &str)]| {
            let root = folder.path().join(name);
            fs::create_dir(&root).unwrap();
            files.iter().for_each(|(name, text)| fs::write(root.join(name), text).unwrap());
            root
        };
        let old = tree("old", &[("a.c", "1\n"), ("b.c", "1\n"), ("c.c", "1\n")]);
        std::os::unix::fs::symlink("a.c", old.join("l.c")).unwrap();
        let diff = |name: &str| format!("--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-1\n+2\n");
        let gone = "--- a/c.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n";
        let mut texts = Texts::new(&old);
        texts.apply(&Patch::read([&diff("a.c"), &diff("b.c"), gone].concat().as_bytes()).unwrap()).unwrap();
        assert!(texts.differing(&tree("same", &[("a.c", "2\n"), ("b.c", "2\n"), ("d.c", "3\n")])).is_empty());
        assert_eq!(texts.differing(&tree("other", &[("a.c", "2\n"), ("b.c", "3\n"), ("c.c", "1\n")])), ["b.c", "c.c"]);
        // Nothing is read through a link.
        assert!(texts.apply(&Patch::read(diff("l.c").as_bytes()).unwrap()).is_err());
    }
}
