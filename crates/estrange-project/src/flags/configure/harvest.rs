//! What runs of configure steps left, kept on disk, and the tree that is made of it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::flags::database::relocate_text;
use crate::flags::normalise::Call;
use crate::flags::preprocess::Offers;
use crate::flags::tree::Tree;
use crate::flags::{FlagOrigin, SourceFile, offer, store};

/// What one run gave: its compiler calls, and the files it left.
#[derive(Debug)]
pub(crate) struct Harvest {
    /// Which build system.
    pub origin: FlagOrigin,
    /// Its compiler calls, with the guest's paths.
    pub calls: Vec<Call>,
    /// The tree's path as the guest knew it.
    pub guest: PathBuf,
    /// The folder with the files of the tree as the run left them, as far as they matter to compiling.
    pub left: PathBuf,
}

impl Harvest {
    /// Adds the flags that it has for files of the tree at `root`.
    pub fn offer(&self, root: &Path, files: &[SourceFile], offers: &mut Offers) {
        let relocate =
            |path: &Path| path.strip_prefix(&self.guest).map_or_else(|_| path.to_owned(), |inside| root.join(inside));
        let map = |call: &Call| Call {
            directory: relocate(&call.directory),
            words: call.words.iter().map(|word| relocate_text(word, &self.guest, root)).collect(),
            file: call.file.as_deref().map(relocate),
        };
        let calls: Vec<Call> = self.calls.iter().map(map).collect();
        offer(&calls, self.origin, root, files, offers);
    }
}

/// Makes a copy of the tree at `root`, anew, with what the runs left. Only the first of them may change what was there
/// before.
pub(crate) fn lay_out<'a>(tree: &Tree, harvests: impl IntoIterator<Item = &'a Harvest>, root: &Path) -> io::Result<()> {
    if root.exists() {
        fs::remove_dir_all(root)?;
    }
    store::copy_tree(tree, root)?;
    for (index, harvest) in harvests.into_iter().enumerate() {
        store::copy_files(&Tree::walk(&harvest.left), root, |path| index == 0 || !path.exists())?;
    }
    Ok(())
}
