//! Unpacked trees, kept by what made them and digested again on every use.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Cache, Key, remove};
use crate::loss::Loss;
use crate::progress::{Progress, Step};
use crate::tree::{self, Summary};
use crate::unpack::LeftOut;

/// What is known about a tree besides its files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Made {
    pub(crate) left_out: Vec<LeftOut>,
    pub(crate) patches: Vec<String>,
}

/// A kept tree.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    pub(crate) root: PathBuf,
    pub(crate) summary: Summary,
    pub(crate) made: Made,
}

/// What lies beside a tree, in `tree.json`.
#[derive(Serialize, Deserialize)]
pub(super) struct Beside {
    pub(super) summary: Summary,
    made: Made,
}

impl Cache {
    /// The tree of this key: the kept one if its digest is still right, or else made anew by `make`, which is given
    /// an empty working folder and has to leave the tree in `root` there.
    pub(crate) fn tree(
        &self,
        key: &Key,
        what: &str,
        progress: &dyn Progress,
        make: impl FnOnce(&Path) -> Result<Made, Loss>,
    ) -> Result<Tree, Loss> {
        if let Some(tree) = self.kept_tree(key, what, progress) {
            return Ok(tree);
        }
        self.require_writable(what)?;
        let _lock = self.lock(key, progress)?;
        // Another process may have made it while this one waited.
        if let Some(tree) = self.kept_tree(key, what, progress) {
            return Ok(tree);
        }
        let step = Step::new(progress, &format!("unpacking {what}"), None);
        let work = self.work(key)?;
        let made = make(work.path())?;
        let root = work.path().join("root");
        tree::settle(&root).map_err(Loss::io("set times in", &root))?;
        let summary = tree::summarize(&root).map_err(Loss::io("read", &root))?;
        self.keep_tree(key, work.path(), &Beside { summary, made: made.clone() })?;
        drop(step);
        Ok(Tree { root: self.tree_path(key).join("root"), summary, made })
    }

    /// The kept tree, if it is there and its digest is right.
    fn kept_tree(&self, key: &Key, what: &str, progress: &dyn Progress) -> Option<Tree> {
        let path = self.tree_path(key);
        let text = fs::read(path.join("tree.json")).ok()?;
        let _step = Step::new(progress, &format!("verifying {what}"), None);
        let root = path.join("root");
        let beside: Option<Beside> = serde_json::from_slice(&text).ok();
        match (beside, tree::summarize(&root)) {
            (Some(beside), Ok(summary)) if beside.summary == summary => Some(Tree { root, summary, made: beside.made }),
            _ => {
                tracing::warn!(what, path = %path.display(), "a kept tree is damaged");
                progress.message(&format!("the kept tree of {what} is damaged"));
                None
            }
        }
    }

    fn keep_tree(&self, key: &Key, work: &Path, beside: &Beside) -> Result<(), Loss> {
        // Nothing but the tree and its description is kept.
        for entry in fs::read_dir(work).map_err(Loss::io("read", work))? {
            let entry = entry.map_err(Loss::io("read", work))?;
            if entry.file_name() != "root" {
                remove(&entry.path()).map_err(Loss::io("remove", entry.path()))?;
            }
        }
        let path = work.join("tree.json");
        let text = serde_json::to_vec_pretty(beside).map_err(|error| Loss::io("write", &path)(error.into()))?;
        fs::write(&path, text).map_err(Loss::io("write", &path))?;
        let kept = self.tree_path(key);
        // A damaged tree is moved aside first: a rename does not replace a folder that is not empty.
        let aside = work.with_extension("damaged");
        remove(&aside).map_err(Loss::io("remove", &aside))?;
        if kept.exists() {
            fs::rename(&kept, &aside).map_err(Loss::io("rename", &kept))?;
        }
        fs::rename(work, &kept).map_err(Loss::io("rename to", &kept))?;
        remove(&aside).map_err(Loss::io("remove", &aside))
    }

    fn tree_path(&self, key: &Key) -> PathBuf {
        self.folder("trees").join(key)
    }
}
